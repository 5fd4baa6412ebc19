import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuditOptions } from '../audit/chained-log.ts';
import { watchFiles } from '../storage/sqlite/file-watch.ts';
import {
  type CommitWatch,
  createGroupCommit,
  emptyWal,
  type GroupCommit,
  rewriteFile,
} from '../storage/sqlite/group-commit.ts';
import { takeInstanceLock } from '../storage/sqlite/instance-lock.ts';
import { toOpenError } from '../storage/sqlite/open-error.ts';
import { createSqliteKernel } from '../storage/sqlite/sqlite-kernel.ts';
import { createWalk } from '../storage/sqlite/walk.ts';
import { createRecords } from './records.ts';
import { prepareSchema, ROUTES } from './sqlite/schema.ts';
import { createSqlitePersonal } from './sqlite/sqlite-personal.ts';
import { createSqliteThreads } from './sqlite/sqlite-threads.ts';
import { createSqliteTurns } from './sqlite/sqlite-turns.ts';
import type { Store } from './store.ts';

export type SqliteOptions = Pick<CommitWatch, 'onRefused'> & {
  path: string;
  /** How long to wait for a process that still holds the database, in ms. */
  lockWaitMs: number;
  /** Called once, if it has to wait for such a process. */
  onWait?(waitMs: number): void;
  /** Called once, if the file is deleted or replaced while it is open. From then on every write is refused. */
  onGone?(): void;
  audit?: AuditOptions | undefined;
  now(): number;
};

/**
 * The embedded store: one file, one process. Every write is durable before it resolves. The file has to be on a local
 * disk. Throws a PermanentError with a sentence for the operator if it cannot be opened.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { path, now, audit, onGone = () => undefined, onRefused } = options;
  const { database, lock } = await open(options).catch((error: unknown) => {
    throw toOpenError(path, error);
  });
  const files = watchFiles(path, onGone);
  const store = createSqliteStore(database, now, { audit, isThere: files.isThere, onRefused });
  return {
    ...store,
    async close() {
      await store.close();
      files.stop();
      lock.release();
    },
  };
}

/** The store on an open database with the tables of this release. `close` closes the database. */
export function createSqliteStore(
  database: DatabaseSync,
  now: () => number,
  { audit, ...watch }: CommitWatch & { audit?: AuditOptions | undefined } = {},
): Store {
  const commit = createGroupCommit(database, watch);
  const records = createRecords(createSqliteKernel(database, commit, now), now, audit);
  const purge = createPurge(database, commit);
  return {
    ...records,
    turns: createSqliteTurns(database, commit, now),
    threads: createSqliteThreads(database, commit),
    personal: createSqlitePersonal(database, commit),
    async purge(workspace) {
      const removed = (await purge(workspace)) + (await records.purge(workspace));
      rewriteFile(database);
      return removed;
    },
    async close() {
      // This write waits for all earlier writes.
      await commit.write(() => undefined).catch(() => undefined);
      emptyWal(database);
      database.close();
    },
  };
}

async function open({ path, lockWaitMs, onWait }: SqliteOptions) {
  makeFolder(dirname(path));
  const lock = await takeInstanceLock(`${path}.lock`, { waitMs: lockWaitMs, onWait });
  try {
    return { lock, database: openDatabase(path) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Not with `recursive`: where no folder can be made, such as in `/proc`, Node would loop and ignore signals. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(path)) throw error;
  }
}

/** Opens the database beside a running app. `waitMs`: for a lock of the app. Throws PermanentError for the operator. */
export function openForReading(path: string, waitMs: number): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: waitMs });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (cause) {
    throw toOpenError(path, cause);
  }
}

function openDatabase(path: string): DatabaseSync {
  // No time-out: waiting inside SQLite blocks the event loop. The group commit waits instead.
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    // FULL: an acknowledged message survives a power cut, not only a crash of the process.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    // 16 MB: a checkpoint takes longer, but fewer than one turn in a hundred has to wait for one.
    database.exec('PRAGMA wal_autocheckpoint = 4000;');
    // Overwrite deleted text.
    database.exec('PRAGMA secure_delete = ON;');
    prepareSchema(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** See Store.purge. */
export function createPurge(database: DatabaseSync, commit: GroupCommit): (workspace: string) => Promise<number> {
  const walks = Object.values(ROUTES).map((route) =>
    createWalk(database, commit, { ...route, where: 'workspace = :workspace' }),
  );

  return async function purge(workspace) {
    let total = 0;
    for (const walk of walks) total += await walk.remove({ workspace });
    return total;
  };
}
