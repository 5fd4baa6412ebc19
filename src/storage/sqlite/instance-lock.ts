import { DatabaseSync } from 'node:sqlite';
import { PermanentError } from '../../errors.ts';
import { isBusy } from './open-error.ts';

type LockOptions = {
  /** How long to wait for a process that still holds the lock, in ms. */
  waitMs: number;
  /** Called once, if it has to wait. */
  onWait?: ((waitMs: number) => void) | undefined;
};

/**
 * One app process per database. The lock is an exclusive transaction on a file beside it, so any end of the process
 * releases it, SIGKILL and power loss included. A new process waits, because the old one may still be draining.
 */
export async function takeInstanceLock(path: string, { waitMs, onWait }: LockOptions): Promise<{ release(): void }> {
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    const givenUpAt = performance.now() + waitMs;
    let isFirst = true;
    while (!tryLock(lock)) {
      if (performance.now() > givenUpAt) throw inUse(path);
      if (isFirst && waitMs > 0) onWait?.(waitMs);
      isFirst = false;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    held.add(lock);
    return {
      release() {
        held.delete(lock);
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Keeps a reference: a garbage-collected database is closed and loses its lock. */
const held = new Set<DatabaseSync>();

/** False: another process holds it. Throws any other failure. */
function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function inUse(path: string): PermanentError {
  return new PermanentError(
    'store_in_use',
    `Another process uses the database (lock ${path}). SQLite is for one process: end the other one first.`,
  );
}
