import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { connectStore, type StoreConnection } from '../../src/backend/redis/connect-store.ts';
import { openRedisStore, type RedisOptions, type RedisStore } from '../../src/backend/redis-store.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { asOperator } from './redis-world.ts';

/** A Redis of the tests of a file, there while they run. What is opened on it is closed after each test. */
export type OwnRedis = RedisServer & {
  open(options?: Partial<RedisOptions>): Promise<RedisStore>;
  connect(): Promise<StoreConnection>;
};

/** One for all tests of the file, empty before each of them. `settings`: see startRedis. */
export function useRedis(settings?: Record<string, string>): OwnRedis {
  const redis = use([beforeAll, afterAll], settings);
  beforeEach(() => asOperator(redis, (client) => client.flushAll()));
  return redis;
}

/** A new one for each test, which may kill it. */
export function useFreshRedis(settings?: Record<string, string>): OwnRedis {
  return use([beforeEach, afterEach], settings);
}

type Hook = (run: () => Promise<void>) => void;

function use([begin, end]: [Hook, Hook], settings: Record<string, string> | undefined): OwnRedis {
  const opened: Pick<RedisStore, 'close'>[] = [];

  async function keep<T extends Pick<RedisStore, 'close'>>(opening: Promise<T>): Promise<T> {
    const one = await opening;
    opened.push(one);
    return one;
  }

  const redis = {
    open: (options = {}) => keep(openRedisStore({ url: redis.url, now: Date.now, ...options })),
    connect: () => keep(connectStore(redis)),
  } as OwnRedis;
  begin(async () => void Object.assign(redis, await startRedis(settings)));
  // Hooks after a test run in reverse order: this one is the last.
  end(() => redis.close());
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  return redis;
}
