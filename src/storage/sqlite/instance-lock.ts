import { DatabaseSync } from 'node:sqlite';
import { PermanentError } from '../../errors.ts';
import { isBusy } from './open-error.ts';

type LockOptions = {
  /** How long to wait for a process that still holds the lock, in ms. */
  waitMs: number;
  /** Called once, where there is something to wait for. */
  onWait?: ((waitMs: number) => void) | undefined;
};

/**
 * One app process per database. The lock is an exclusive transaction on a file beside it, so that any death of the
 * process releases it, SIGKILL and power loss included. A starter waits: the old process may still be draining.
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

/** A database that nothing refers to is closed by the garbage collector, and its lock would be gone with it. */
const held = new Set<DatabaseSync>();

/** False where another process holds it; any other failure would not pass by waiting, and is thrown. */
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
