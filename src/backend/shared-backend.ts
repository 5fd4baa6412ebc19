import { createLocalAnnouncements } from '../delivery/announcements.ts';
import { createBullmqDispatcher } from '../delivery/bullmq/bullmq-dispatcher.ts';
import type { Log } from '../log.ts';
import { createRedisAnnouncements } from '../storage/redis/redis-announcements.ts';
import { createRedisBuckets } from '../storage/redis/redis-buckets.ts';
import { createRedisLock } from '../storage/redis/redis-lock.ts';
import { openRedisStore } from '../storage/redis/redis-store.ts';
import type { Backend } from './backend.ts';

/** For any number of replicas, on Redis. */
export async function openSharedBackend(url: string, leaseMs: number, log: Log): Promise<Backend> {
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
    // A wake-up is lost if its process dies at the wrong moment; the lane is free after a lease as well.
    sweepEveryMs: leaseMs,
    async close() {
      await dispatcher.close();
      announcements.close();
      await store.close();
    },
  };
}
