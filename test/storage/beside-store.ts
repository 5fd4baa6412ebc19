import { DatabaseSync } from 'node:sqlite';
import type { Kernel } from '../../src/storage/kernel.ts';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { createSqliteKernel } from '../../src/storage/sqlite/sqlite-kernel.ts';

/** The documents of a store beside the app that uses it. */
export type Beside = { with<T>(work: (kernel: Kernel) => Promise<T>): Promise<T> };

export function besideSqlite(path: () => string): Beside {
  return {
    async with(work) {
      const database = new DatabaseSync(path(), { timeout: 5_000 });
      const commit = createGroupCommit(database);
      try {
        return await work(createSqliteKernel(database, commit, Date.now));
      } finally {
        await commit.write(() => undefined);
        database.close();
      }
    },
  };
}
