import { DatabaseSync } from 'node:sqlite';
import { connectStore } from '../../src/backend/redis/connect-store.ts';
import type { Kernel } from '../../src/storage/kernel.ts';
import { createRedisKernel } from '../../src/storage/redis/redis-kernel.ts';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { createSqliteKernel } from '../../src/storage/sqlite/sqlite-kernel.ts';
import { asOperator } from './redis-world.ts';

/** The documents of a store beside the app that uses it. `corrupt`: replaces text of a body, which may be no JSON then. */
export type Beside = {
  with<T>(work: (kernel: Kernel) => Promise<T>): Promise<T>;
  corrupt(key: string, from: string, to: string): Promise<void>;
};

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
    async corrupt(key, from, to) {
      const database = new DatabaseSync(path(), { timeout: 5_000 });
      database.prepare('UPDATE documents SET body = replace(body, ?, ?) WHERE key = ?').run(from, to, key);
      database.close();
    },
  };
}

export function besideRedis(server: () => { url: string }): Beside {
  return {
    async with(work) {
      const connection = await connectStore({ url: server().url });
      try {
        return await work(createRedisKernel(connection, Date.now));
      } finally {
        await connection.close();
      }
    },
    corrupt: (key, from, to) =>
      asOperator(server(), async (client) => {
        const body = (await client.hGet(`bridge:doc:${key}`, 'b')) ?? '';
        await client.hSet(`bridge:doc:${key}`, 'b', body.replaceAll(from, to));
      }),
  };
}
