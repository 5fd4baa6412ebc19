import type { DatabaseSync } from 'node:sqlite';
import { PermanentError } from '../../errors.ts';

/** A turn that was given up. Queries must use this exact expression to hit the index. */
export const DEAD = "stage = 'done' AND json_extract(body, '$.result') IN ('failed', 'abandoned')";

/** Whom a conversation was created for. Queries must use this exact expression, too. */
export const OWNER = "json_extract(body, '$.owner')";

/** Records are JSON in `body`; only what is searched, compared or counted has a column. */
const FIRST_RELEASE = `
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

  CREATE TABLE engagements (
    thread TEXT NOT NULL,
    user TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (thread, user)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX engagements_used ON engagements (used_at);

  CREATE TABLE conversations (
    thread TEXT NOT NULL,
    holder TEXT NOT NULL,
    id TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread, holder)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX conversations_used ON conversations (used_at);

  CREATE TABLE links (
    team TEXT NOT NULL,
    user TEXT NOT NULL,
    purpose TEXT NOT NULL,
    workspace TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (team, user, purpose)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE once (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX once_expired ON once (expires_at);

  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX changes_subject ON changes (subject, seq);
`;

/**
 * Several workspaces, so that one can be purged: the first release did not store a thread's workspace, but its key begins
 * with the team. And an index of dead letters, because scanning all done turns would be slow.
 */
const MANY_WORKSPACES = `
  CREATE INDEX turns_workspace ON turns (workspace);
  CREATE INDEX turns_dead ON turns (seq) WHERE ${DEAD};

  ALTER TABLE engagements ADD COLUMN workspace TEXT NOT NULL DEFAULT '';
  UPDATE engagements SET workspace = substr(thread, 1, instr(thread, ':') - 1);
  CREATE INDEX engagements_workspace ON engagements (workspace);

  ALTER TABLE conversations ADD COLUMN workspace TEXT NOT NULL DEFAULT '';
  UPDATE conversations SET workspace = substr(thread, 1, instr(thread, ':') - 1);
  CREATE INDEX conversations_workspace ON conversations (workspace);

  CREATE INDEX links_workspace ON links (workspace);

  CREATE TABLE installations (
    workspace TEXT PRIMARY KEY,
    installed_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
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
    origin_seq INTEGER NOT NULL,
    origin_hash TEXT NOT NULL
  ) STRICT;
  INSERT INTO audit_ends VALUES (1, 0, '${'0'.repeat(64)}', 0, '${'0'.repeat(64)}');
`;

/** Governance: decisions that amend the register, the last review that was posted, and this month's notices. */
const GOVERNANCE = `
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

  CREATE TABLE notices (
    key TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notices_expired ON notices (expires_at);
`;

/**
 * Rules of channels, and what insights are made of. The releases before do not know these tables and leave them alone, so
 * they can go on with the file.
 */
const RULES_AND_USAGE = `
  CREATE TABLE IF NOT EXISTS rules (
    workspace TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS usage (
    workspace TEXT NOT NULL,
    day INTEGER NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (workspace, day, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS usage_day ON usage (day);

  CREATE TABLE IF NOT EXISTS usage_people (
    workspace TEXT NOT NULL,
    name TEXT NOT NULL,
    mark TEXT NOT NULL,
    last_day INTEGER NOT NULL,
    PRIMARY KEY (workspace, name, mark)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS usage_people_day ON usage_people (last_day);
`;

/** What was used day by day. The releases before leave it alone, too. */
const CONSUMPTION = `
  CREATE TABLE IF NOT EXISTS consumption (
    name TEXT NOT NULL,
    day INTEGER NOT NULL,
    credits REAL NOT NULL,
    PRIMARY KEY (name, day)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS consumption_day ON consumption (day);
`;

/** Changes whose makers may not know how they ended. The releases before leave this table alone, too. */
const UNTOLD_CHANGES = `
  CREATE TABLE IF NOT EXISTS untold_changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE
  ) STRICT;
`;

/** Migrations from each version of the file to the next. Released steps never change. */
const STEPS = [FIRST_RELEASE, MANY_WORKSPACES, AUDIT, GOVERNANCE];

/** Creates the tables of a new file, migrates those of an earlier release, refuses those of a later one. */
export function prepareSchema(database: DatabaseSync): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  if (found > STEPS.length) {
    throw new PermanentError(
      'store_too_new',
      `the database was written by a later release (version ${found}, this one knows ${STEPS.length}): start that release`,
    );
  }
  const steps = STEPS.slice(found).join('');
  if (steps !== '') database.exec(`BEGIN IMMEDIATE; ${steps} PRAGMA user_version = ${STEPS.length}; COMMIT;`);
  addHeadSeal(database);
  addPersonalIndexes(database);
  database.exec(RULES_AND_USAGE + CONSUMPTION + UNTOLD_CHANGES);
}

/** A column that the releases before do not know and leave alone: they can go on with the file. */
function addHeadSeal(database: DatabaseSync): void {
  const columns = database.prepare('PRAGMA table_info(audit_ends)').all();
  if (columns.some(({ name }) => name === 'head_seal')) return;
  database.exec('ALTER TABLE audit_ends ADD COLUMN head_seal TEXT');
}

/** What is kept of a person. The releases before maintain these indexes without knowing them. */
function addPersonalIndexes(database: DatabaseSync): void {
  database.exec(`
    CREATE INDEX IF NOT EXISTS turns_person ON turns (person) WHERE stage = 'done';
    CREATE INDEX IF NOT EXISTS engagements_user ON engagements (user, thread);
    CREATE INDEX IF NOT EXISTS conversations_owner ON conversations (${OWNER}, thread);
  `);
}
