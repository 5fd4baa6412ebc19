import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailableError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { createGroupCommit } from './group-commit.ts';
import { takeInstanceLock } from './instance-lock.ts';
import { prepareSchema } from './schema.ts';
import { createSqliteChanges } from './sqlite-changes.ts';
import { createSqliteLinks, createSqliteOnce } from './sqlite-links.ts';
import { createSqliteThreads } from './sqlite-threads.ts';
import { createSqliteTurns } from './sqlite-turns.ts';

export type SqliteOptions = {
  path: string;
  /** How long to wait for a process that still holds the database, in ms. */
  lockWaitMs: number;
  now(): number;
};

/** The embedded store: one file, one process, every write on disk before it counts. A local disk, not a network one. */
export async function openSqliteStore({ path, lockWaitMs, now }: SqliteOptions): Promise<Store> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = await takeInstanceLock(`${path}.lock`, lockWaitMs);
  const database = openDatabase(path);
  const commit = createGroupCommit(database);
  return {
    turns: createSqliteTurns(database, commit),
    threads: createSqliteThreads(database, commit, now),
    links: createSqliteLinks(database, commit),
    once: createSqliteOnce(database, commit, now),
    changes: createSqliteChanges(database, commit),
    check: async () => checkReadable(database),
    async close() {
      await commit.idle();
      database.close();
      lock.release();
    },
  };
}

function openDatabase(path: string): DatabaseSync {
  // No time-out: waiting inside SQLite would stand the event loop still. The group commit waits instead.
  const database = new DatabaseSync(path, { timeout: 0 });
  chmodSync(path, 0o600);
  // FULL: an acknowledged message survives a power cut, not only a crash of ours.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  prepareSchema(database);
  return database;
}

function checkReadable(database: DatabaseSync): void {
  try {
    database.prepare('SELECT 1 FROM turns LIMIT 1').get();
  } catch (error) {
    throw new StoreUnavailableError('the database cannot be read', { cause: error });
  }
}
