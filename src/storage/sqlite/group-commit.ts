import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailableError } from '../../errors.ts';
import { isBusy, readSqliteWords } from './open-error.ts';

type Waiting = {
  operation: () => unknown;
  mayBeLost: boolean;
  since: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
};

/** Callers give up after 2 s, because Slack waits 3 s for an acknowledgement. */
const GIVE_UP_MS = 1_900;

/** Retry interval while another process writes (a checkpoint, a backup), without blocking the event loop. */
const RETRY_MS = 20;

export type CommitWatch = {
  /** Whether the next start will read the file that is open. See file-watch.ts. */
  isThere?(): boolean;
  /** Called with SQLite's words for each write that it refuses, such as `database or disk is full`. */
  onRefused?(reason: string): void;
};

export type GroupCommit = ReturnType<typeof createGroupCommit>;

/**
 * Combines the writes of one event loop tick into one transaction: a durable commit costs a disk flush, and thirty
 * messages that arrive together need one, not thirty. A rejected write is never executed later.
 */
export function createGroupCommit(database: DatabaseSync, watch: CommitWatch = {}) {
  let waiting: Waiting[] = [];
  let isScheduled = false;
  let isFlushed: boolean | undefined;

  function schedule(delayMs: number): void {
    if (isScheduled) return;
    isScheduled = true;
    if (delayMs > 0) setTimeout(commitWaiting, delayMs);
    else setImmediate(commitWaiting);
  }

  function commitWaiting(): void {
    isScheduled = false;
    const group = waiting;
    waiting = [];
    commit(group);
  }

  /** In WAL mode, NORMAL leaves the flush to the next commit with FULL, or to a checkpoint. */
  function setFlushed(wanted: boolean): void {
    if (wanted !== isFlushed) database.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`);
    isFlushed = wanted;
  }

  function commit(group: Waiting[]): void {
    try {
      setFlushed(group.some(({ mayBeLost }) => !mayBeLost));
      database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      return postpone(group, error);
    }
    const results: unknown[] = [];
    try {
      for (const { operation } of group) results.push(operation());
      database.exec('COMMIT');
    } catch (error) {
      rollBack(database);
      return refuse(group, error);
    }
    // Check after the commit: a write that resolves was in the right file at least until then.
    const isKept = watch.isThere?.() !== false;
    for (const [index, { resolve, reject }] of group.entries()) {
      if (isKept) resolve(results[index]);
      else reject(new StoreUnavailableError('the database file is gone'));
    }
  }

  function refusal(error: unknown): StoreUnavailableError {
    // Other errors are our own; whoever catches them reports them.
    const reason = readSqliteWords(error);
    if (reason) watch.onRefused?.(reason);
    return new StoreUnavailableError('the database could not be written', { cause: error });
  }

  /** Another process holds the write lock: retries the writes that have time left. */
  function postpone(group: Waiting[], error: unknown): void {
    const patient = group.filter(({ since }) => isBusy(error) && performance.now() - since < GIVE_UP_MS);
    for (const one of group) if (!patient.includes(one)) one.reject(refusal(error));
    waiting = [...patient, ...waiting];
    if (waiting.length > 0) schedule(RETRY_MS);
  }

  /** One bad write must not fail the others of its group: give each its own transaction. */
  function refuse(group: Waiting[], error: unknown): void {
    if (group.length === 1) group[0]?.reject(refusal(error));
    else for (const one of group) commit([one]);
  }

  return {
    /**
     * Runs a write inside the next transaction; resolves once it is durable. Throws StoreUnavailableError.
     * `mayBeLost`: resolves without a flush to disk. The write survives a crash of the process, but a power cut before
     * the next flushed write undoes it.
     */
    write<T>(operation: () => T, mayBeLost = false): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const since = performance.now();
        waiting.push({ operation, mayBeLost, since, resolve: resolve as (value: unknown) => void, reject });
        schedule(0);
      });
    },
  };
}

function rollBack(database: DatabaseSync): void {
  // A failed COMMIT may have ended the transaction already.
  if (database.isTransaction) database.exec('ROLLBACK');
}

/** Nobody is served meanwhile: for 0.6 s of CPU, or 2 s with a disk of 125 MB a second. Slack waits 3 s. */
const REWRITE_AT_MOST_BYTES = 100_000_000;

/**
 * Rewrites the file, and empties the `-wal`, which still has deleted text. `secure_delete` overwrites a deleted row, but
 * not the copies of it that SQLite left in unused parts of pages when it moved rows to others. A larger file is not
 * rewritten: there the copies stay until their space is used again.
 */
export function rewriteFile(database: DatabaseSync): void {
  const read = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  if (read('page_count') * read('page_size') <= REWRITE_AT_MOST_BYTES) attempt(database, 'VACUUM');
  emptyWal(database);
}

/** Empties the `-wal`. If a reader prevents that, it is emptied later. */
export function emptyWal(database: DatabaseSync): void {
  attempt(database, 'PRAGMA wal_checkpoint(TRUNCATE)');
}

function attempt(database: DatabaseSync, statement: string): void {
  try {
    database.exec(statement);
  } catch (error) {
    // The write itself has succeeded: an error such as a full disk must not fail it now.
    if (readSqliteWords(error) === undefined) throw error;
  }
}
