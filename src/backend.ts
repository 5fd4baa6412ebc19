import type { Config } from './config.ts';
import { type Announcements, createLocalAnnouncements } from './delivery/announcements.ts';
import { createBullmqDispatcher } from './delivery/bullmq/bullmq-dispatcher.ts';
import type { Dispatcher } from './delivery/dispatcher.ts';
import { createInProcessDispatcher } from './delivery/in-process-dispatcher.ts';
import type { Log } from './log.ts';
import type { TokenBuckets } from './slack/web/buckets.ts';
import { createMemoryBuckets } from './slack/web/memory-buckets.ts';
import { createRedisAnnouncements } from './storage/redis/redis-announcements.ts';
import { createRedisBuckets } from './storage/redis/redis-buckets.ts';
import { createRedisLock } from './storage/redis/redis-lock.ts';
import { openRedisStore } from './storage/redis/redis-store.ts';
import { openSqliteStore } from './storage/sqlite/sqlite-store.ts';
import type { Store } from './storage/store.ts';
import type { WithLock } from './with-lock.ts';

/** Where everything is kept, and what replicas have in common: Redis for any number of them, SQLite for one process. */
export type Backend = {
  store: Store;
  dispatcher: Dispatcher;
  announcements: Announcements;
  buckets: TokenBuckets;
  /** One token refresh at a time per account, across replicas. */
  withLock: WithLock | undefined;
  /** How often to look for lanes whose wake-up was lost, in ms. */
  sweepEveryMs: number;
  close(): Promise<void>;
};

/** A stop gives balancers time before it drains, and closes what is open after that. */
const AROUND_DRAIN_MS = 10_000;

/** Opens what the configuration names. Throws a PermanentError with a sentence for the operator. */
export function openBackend(config: Config, log: Log): Promise<Backend> {
  const { REDIS_URL: url } = config;
  return url ? openShared(url, config.LEASE_SECONDS * 1000, log) : openEmbedded(config, log);
}

async function openEmbedded(config: Config, log: Log): Promise<Backend> {
  const store = await openSqliteStore({
    path: config.SQLITE_PATH,
    lockWaitMs: config.DRAIN_SECONDS * 1000 + AROUND_DRAIN_MS,
    onWait: (waitMs) => log.warn({ upToSeconds: waitMs / 1000 }, 'waiting for the other process to end'),
    now: Date.now,
  });
  return {
    store,
    dispatcher: createInProcessDispatcher(log, Date.now),
    announcements: createLocalAnnouncements(),
    // A clock that only goes forward: one that is set back would stop all calls until then.
    buckets: createMemoryBuckets(() => performance.now()),
    withLock: undefined,
    // In one process none is lost while it lives, and at its start it looks.
    sweepEveryMs: 15_000,
    close: () => store.close(),
  };
}

async function openShared(url: string, leaseMs: number, log: Log): Promise<Backend> {
  const now = Date.now;
  const store = await openRedisStore({
    url,
    now,
    log,
    onWarning: (sentence) => log.warn({ sentence }, 'redis settings'),
  });
  const announcements = await createRedisAnnouncements(store.connection, createLocalAnnouncements(), log);
  const dispatcher = createBullmqDispatcher({ url, leaseMs, now, log });
  return {
    store,
    dispatcher,
    announcements,
    buckets: createRedisBuckets(store.connection),
    withLock: createRedisLock(store.connection),
    // One is lost with a process that dies at the wrong moment, and what it worked on is free after a lease as well.
    sweepEveryMs: leaseMs,
    async close() {
      await dispatcher.close();
      announcements.close();
      await store.close();
    },
  };
}
