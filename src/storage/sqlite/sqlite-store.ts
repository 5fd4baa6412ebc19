import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../store.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { takeInstanceLock } from './instance-lock.ts';
import { toOpenError } from './open-error.ts';
import { prepareSchema } from './schema.ts';
import { createSqliteAudit } from './sqlite-audit.ts';
import { createSqliteChanges, createSqliteOverlay, createSqliteReviews } from './sqlite-governance.ts';
import { createSqliteInstallations, createSqliteLinks, createSqliteOnce } from './sqlite-links.ts';
import { createSqliteThreads } from './sqlite-threads.ts';
import { createSqliteTurns } from './sqlite-turns.ts';

export type SqliteOptions = {
  path: string;
  /** How long to wait for a process that still holds the database, in ms. */
  lockWaitMs: number;
  /** Called once, if there is such a process. */
  onWait?(waitMs: number): void;
  now(): number;
};

/** The key that `check` writes. */
const CHECK = 'check';
const CHECK_TTL_MS = 60_000;

/**
 * The embedded store: one file, one process, every write durable before it resolves. On a local disk, not a network one.
 * Throws a PermanentError with a sentence for the operator if it cannot be opened.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { now } = options;
  const { database, lock } = await open(options).catch((error: unknown) => {
    throw toOpenError(options.path, error);
  });
  const store = createSqliteStore(database, now);
  return {
    ...store,
    async close() {
      await store.close();
      lock.release();
    },
  };
}

/** The store on an open database with the tables of this release. `close` closes the database. */
export function createSqliteStore(database: DatabaseSync, now: () => number): Store {
  const commit = createGroupCommit(database);
  const once = createSqliteOnce(database, commit, now);
  return {
    turns: createSqliteTurns(database, commit, now),
    threads: createSqliteThreads(database, commit),
    links: createSqliteLinks(database, commit),
    once,
    changes: createSqliteChanges(database, commit),
    audit: createSqliteAudit(database, commit),
    overlay: createSqliteOverlay(database, commit),
    reviews: createSqliteReviews(database, commit, now),
    installations: createSqliteInstallations(database, commit),
    purge: createPurge(database, commit),
    // A write, not a read: a database whose disk is full can still be read.
    check: () => once.put(CHECK, '', now() + CHECK_TTL_MS),
    async close() {
      await commit.idle();
      database.close();
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
  // No time-out: waiting inside SQLite blocks the event loop. The group commit waits instead.
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    // FULL: an acknowledged message survives a power cut, not only a crash of the process.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    prepareSchema(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Tables with a workspace's data, and their keys. */
const TABLES = [
  ['turns', 'seq'],
  ['engagements', 'thread, user'],
  ['conversations', 'thread, holder'],
  ['links', 'team, user, purpose'],
] as const;

/** A batch takes a few milliseconds; larger ones would block the event loop. */
const BATCH = 500;

/** See Store.purge. */
export function createPurge(database: DatabaseSync, { write }: GroupCommit): (workspace: string) => Promise<number> {
  const removals = TABLES.map(([table, key]) =>
    database.prepare(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE workspace = ? LIMIT ${BATCH})`,
    ),
  );

  return async function purge(workspace) {
    let total = 0;
    for (const removal of removals) {
      for (let removed = BATCH; removed === BATCH; total += removed) {
        removed = await write(() => Number(removal.run(workspace).changes));
      }
    }
    return total;
  };
}
