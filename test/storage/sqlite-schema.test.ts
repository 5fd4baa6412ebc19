import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { prepareSchema } from '../../src/backend/sqlite/schema.ts';
import { createSqlitePersonal } from '../../src/backend/sqlite/sqlite-personal.ts';
import { createSqliteThreads } from '../../src/backend/sqlite/sqlite-threads.ts';
import { createSqliteTurns } from '../../src/backend/sqlite/sqlite-turns.ts';
import { createPurge, openSqliteStore } from '../../src/backend/sqlite-store.ts';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { createSqliteKernel } from '../../src/storage/sqlite/sqlite-kernel.ts';
import { ownFolder } from '../own-folder.ts';

const folder = ownFolder('sqlite-schema');

it('sqlite: a file of another release is refused with the version that it has, and is left as it is', async () => {
  const path = join(folder, 'other.db');
  const made = new DatabaseSync(path);
  made.exec('CREATE TABLE theirs (id TEXT) STRICT; PRAGMA user_version = 4');
  made.close();

  const opening = openSqliteStore({ path, lockWaitMs: 0, now: Date.now });

  await expect(opening).rejects.toThrow('of another release: it has version 4, and this release knows 1');
  const left = new DatabaseSync(path);
  expect(left.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'theirs' }]);
  left.close();
});

it('sqlite: a query never looks through what is done, of which there is most, at once', () => {
  const database = new RecordingDatabase(':memory:');
  prepareSchema(database);
  const commit = createGroupCommit(database);
  createSqliteTurns(database, commit, () => 1);
  createSqliteThreads(database, commit);
  createSqlitePersonal(database, commit);
  createPurge(database, commit);
  createSqliteKernel(database, commit, () => 1);

  const plans = database.prepared.flatMap((sql) => explain(database, sql));

  // Indexes that done turns are not in may be looked through, and so may the few values of one row.
  const few = /INDEX turns_(open|parked|dead)$|^SCAN (CONSTANT ROW|entry VIRTUAL TABLE)/;
  const scans = plans.filter((step) => /^SCAN/.test(step) && !few.test(step));
  expect(scans).toEqual([]);
  expect(plans.length).toBeGreaterThan(20);
});

class RecordingDatabase extends DatabaseSync {
  readonly prepared: string[] = [];

  override prepare(sql: string): StatementSync {
    this.prepared.push(sql);
    return super.prepare(sql);
  }
}

function explain(database: DatabaseSync, sql: string): string[] {
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
}
