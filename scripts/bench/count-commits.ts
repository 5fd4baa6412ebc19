// Counts what SQLite writes to disk, whatever the tables are.
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export type Commits = {
  /** Transactions that were committed and flushed, so not those with `synchronous = NORMAL`. Undefined if there were none. */
  commits: number | undefined;
  /** Pages that all transactions wrote to the write-ahead log. */
  pages: number | undefined;
};

let commits: number | undefined;
let pages: number | undefined;
let isFlushed = true;
let onCommit: ((ms: number) => void) | undefined;

/** The pages in the log of each database. From time to time SQLite begins the log again. */
const logs = new WeakMap<DatabaseSync, { length: StatementSync; last: number }>();

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  if (sql.startsWith('PRAGMA synchronous')) isFlushed = sql.endsWith('FULL');
  if (sql !== 'COMMIT') return exec.call(this, sql);
  const begunAt = performance.now();
  exec.call(this, sql);
  if (isFlushed) onCommit?.(performance.now() - begunAt);
  commits = (commits ?? 0) + (isFlushed ? 1 : 0);
  pages = (pages ?? 0) + countNewPages(this);
};

/** Since the start. */
export function readCommits(): Commits {
  return { commits, pages };
}

/** Calls `listener` with the time that each commit took (ms). Replaces the former listener. */
export function timeCommits(listener: ((ms: number) => void) | undefined): void {
  onCommit = listener;
}

function countNewPages(database: DatabaseSync): number {
  // Only reads the size of the log: https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
  const log = logs.get(database) ?? { length: database.prepare('PRAGMA wal_checkpoint(NOOP)'), last: 0 };
  logs.set(database, log);
  const length = Number(log.length.get()?.log);
  const added = length >= log.last ? length - log.last : length;
  log.last = length;
  return added;
}
