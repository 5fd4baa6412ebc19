import type { DatabaseSync } from 'node:sqlite';
import { checkVersion, STORE_VERSION } from '../record.ts';

/** A turn that was given up. Queries must use this exact expression to hit the index. */
export const DEAD = "stage = 'done' AND json_extract(body, '$.result') IN ('failed', 'abandoned')";

/** Whom a conversation was created for. Queries must use this exact expression, too. */
export const OWNER = "json_extract(body, '$.owner')";

/** Records are JSON in `body`; only what is searched, compared or counted has a column. */
const CONVERSATIONS = `
  CREATE TABLE turns (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    lane TEXT NOT NULL,
    person TEXT NOT NULL,
    workspace TEXT NOT NULL,
    stage TEXT NOT NULL,
    fence INTEGER NOT NULL,
    accepted_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX turns_open ON turns (lane, seq) WHERE stage NOT IN ('done', 'parked');
  CREATE INDEX turns_parked ON turns (person, seq) WHERE stage = 'parked';
  CREATE INDEX turns_done ON turns (accepted_at) WHERE stage = 'done';
  CREATE INDEX turns_dead ON turns (seq) WHERE ${DEAD};
  CREATE INDEX turns_person ON turns (person) WHERE stage = 'done';
  CREATE INDEX turns_workspace ON turns (workspace);

  CREATE TABLE engagements (
    thread TEXT NOT NULL,
    user TEXT NOT NULL,
    workspace TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (thread, user)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX engagements_used ON engagements (used_at);
  CREATE INDEX engagements_user ON engagements (user, thread);
  CREATE INDEX engagements_workspace ON engagements (workspace);

  CREATE TABLE conversations (
    thread TEXT NOT NULL,
    holder TEXT NOT NULL,
    id TEXT NOT NULL,
    workspace TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread, holder)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX conversations_used ON conversations (used_at);
  CREATE INDEX conversations_owner ON conversations (${OWNER}, thread);
  CREATE INDEX conversations_workspace ON conversations (workspace);
`;

const WORKSPACES = `
  CREATE TABLE links (
    team TEXT NOT NULL,
    user TEXT NOT NULL,
    purpose TEXT NOT NULL,
    workspace TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (team, user, purpose)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX links_workspace ON links (workspace);

  CREATE TABLE installations (
    workspace TEXT PRIMARY KEY,
    installed_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE rules (
    workspace TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE once (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX once_expired ON once (expires_at);
`;

/** What is counted day by day. */
const COUNTS = `
  CREATE TABLE usage (
    workspace TEXT NOT NULL,
    day INTEGER NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (workspace, day, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_day ON usage (day);

  CREATE TABLE usage_people (
    workspace TEXT NOT NULL,
    name TEXT NOT NULL,
    mark TEXT NOT NULL,
    last_day INTEGER NOT NULL,
    PRIMARY KEY (workspace, name, mark)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX usage_people_day ON usage_people (last_day);

  CREATE TABLE consumption (
    name TEXT NOT NULL,
    day INTEGER NOT NULL,
    credits REAL NOT NULL,
    PRIMARY KEY (name, day)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX consumption_day ON consumption (day);
`;

/** Changes, and those whose makers may not know how they ended; decisions, and the last review. */
const GOVERNANCE = `
  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX changes_subject ON changes (subject, seq);

  CREATE TABLE untold_changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE overlay (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE last_review (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
`;

/**
 * The audit log: entries by sequence number, and one row with its origin (before all entries) and head. The trigger guards
 * against our own mistakes; the chain of hashes reveals deliberate changes.
 */
const AUDIT = `
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
  END;

  CREATE TABLE audit_ends (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    head_seq INTEGER NOT NULL,
    head_hash TEXT NOT NULL,
    head_seal TEXT,
    origin_seq INTEGER NOT NULL,
    origin_hash TEXT NOT NULL
  ) STRICT;
  INSERT INTO audit_ends VALUES (1, 0, '${'0'.repeat(64)}', NULL, 0, '${'0'.repeat(64)}');
`;

/** Creates the tables of a new file. Throws a PermanentError if another release made it. */
export function prepareSchema(database: DatabaseSync): void {
  if (isNew(database)) {
    const tables = [CONVERSATIONS, WORKSPACES, COUNTS, GOVERNANCE, AUDIT].join('');
    database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${STORE_VERSION}; COMMIT;`);
  }
}

/** Whether nothing is in it yet. Throws a PermanentError if another release made it. */
export function isNew(database: DatabaseSync): boolean {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (found !== 0) checkVersion(found, 'The database');
  return found === 0;
}
