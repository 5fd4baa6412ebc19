import { DatabaseSync } from 'node:sqlite';
import { PermanentError } from '../../errors.ts';

/**
 * One app process per database. The lock is an exclusive transaction on a file beside it, so that any death of the
 * process releases it, SIGKILL and power loss included. A starter waits: the old process may still be draining.
 */
export async function takeInstanceLock(path: string, waitMs: number): Promise<{ release(): void }> {
  const lock = new DatabaseSync(path, { timeout: 0 });
  const givenUpAt = performance.now() + waitMs;
  for (;;) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return { release: () => lock.close() };
    } catch (error) {
      if (performance.now() > givenUpAt) {
        lock.close();
        throw new PermanentError(
          'store_in_use',
          `another process uses the database (lock ${path}). SQLite is for one process; set REDIS_URL for several`,
          { cause: error },
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
