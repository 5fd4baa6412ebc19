import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailableError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { createGroupCommit } from './group-commit.ts';
import { takeInstanceLock } from './instance-lock.ts';
import { toOpenError } from './open-error.ts';
import { prepareSchema } from './schema.ts';
import { createSqliteChanges } from './sqlite-changes.ts';
import { createSqliteLinks, createSqliteOnce } from './sqlite-links.ts';
import { createSqliteThreads } from './sqlite-threads.ts';
import { createSqliteTurns } from './sqlite-turns.ts';

export type SqliteOptions = {
  path: string;
  /** How long to wait for a process that still holds the database, in ms. */
  lockWaitMs: number;
  /** Called once, where there is such a process. */
  onWait?(waitMs: number): void;
  now(): number;
};

/**
 * The embedded store: one file, one process, every write on disk before it counts. A local disk, not a network one.
 * Where it cannot be opened, throws a PermanentError with a sentence for the operator.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { now } = options;
  const { database, lock } = await open(options).catch((error: unknown) => {
    throw toOpenError(options.path, error);
  });
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

async function open({ path, lockWaitMs, onWait }: SqliteOptions) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = await takeInstanceLock(`${path}.lock`, { waitMs: lockWaitMs, onWait });
  try {
    return { lock, database: openDatabase(path) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openDatabase(path: string): DatabaseSync {
  // No time-out: waiting inside SQLite would stand the event loop still. The group commit waits instead.
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    // FULL: an acknowledged message survives a power cut, not only a crash of ours.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    prepareSchema(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkReadable(database: DatabaseSync): void {
  try {
    database.prepare('SELECT 1 FROM turns LIMIT 1').get();
  } catch (error) {
    throw new StoreUnavailableError('the database cannot be read', { cause: error });
  }
}
