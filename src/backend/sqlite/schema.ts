import type { DatabaseSync } from 'node:sqlite';
import { DOCUMENTS } from '../../storage/sqlite/sqlite-kernel.ts';
import { checkVersion, STORE_VERSION } from '../record.ts';

/** A turn that was given up. Queries must use this exact expression to use the index. */
export const DEAD = "stage = 'done' AND json_extract(body, '$.result') IN ('failed', 'abandoned')";

/**
 * Records are JSON in `body`. Only fields that are searched, compared or counted have a column. Rare searches have no
 * index: see walk.ts.
 */
const CONVERSATIONS = `
  CREATE TABLE turns (
    seq INTEGER PRIMARY KEY,
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
  CREATE INDEX turns_dead ON turns (seq) WHERE ${DEAD};

  CREATE TABLE engagements (
    thread TEXT NOT NULL,
    user TEXT NOT NULL,
    workspace TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (thread, user)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE conversations (
    thread TEXT NOT NULL,
    holder TEXT NOT NULL,
    id TEXT NOT NULL,
    workspace TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread, holder)
  ) STRICT, WITHOUT ROWID;
`;

/** Where a walk through each table begins: see walk.ts. */
export const ROUTES = {
  turns: { table: 'turns', from: { seq: 0 } },
  engagements: { table: 'engagements', from: { thread: '', user: '' } },
  conversations: { table: 'conversations', from: { thread: '', holder: '' } },
};

/** Creates the tables of a new file. Throws a PermanentError if another release made it. */
export function prepareSchema(database: DatabaseSync): void {
  if (isNew(database)) {
    const tables = CONVERSATIONS + DOCUMENTS;
    database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${STORE_VERSION}; COMMIT;`);
  }
}

/** Whether the database has no tables yet. Throws a PermanentError if another release made it. */
export function isNew(database: DatabaseSync): boolean {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (found !== 0) checkVersion(found, 'The database');
  return found === 0;
}
