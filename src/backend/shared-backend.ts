import type { Config } from '../config.ts';
import { createLocalAnnouncements } from '../delivery/announcements.ts';
import { createBullmqDispatcher } from '../delivery/bullmq/bullmq-dispatcher.ts';
import type { Log } from '../log.ts';
import { toOpenError } from '../storage/redis/redis-connection.ts';
import { createRedisLock } from '../storage/redis/redis-lock.ts';
import type { Backend } from './backend.ts';
import { createRedisAnnouncements } from './redis/redis-announcements.ts';
import { createRedisBuckets } from './redis/redis-buckets.ts';
import { createRedisLeases } from './redis/redis-leases.ts';
import { openRedisStore } from './redis-store.ts';

/** For any number of replicas, on Redis. */
export async function openSharedBackend(url: string, config: Config, log: Log): Promise<Backend> {
  const now = Date.now;
  const leaseMs = config.LEASE_SECONDS * 1000;
  const store = await openRedisStore({ url, now, log, audit: { keys: config.AUDIT_KEY, log } });
  const announcing = createRedisAnnouncements(store.connection, createLocalAnnouncements(), log);
  const announcements = await announcing.catch((error: unknown) => Promise.reject(toOpenError(url, error)));
  const dispatcher = createBullmqDispatcher({ url, leases: createRedisLeases(store.connection), leaseMs, now, log });
  return {
    store,
    dispatcher,
    announcements,
    buckets: createRedisBuckets(store.connection),
    withLock: createRedisLock(store.connection),
    keepsWakeUps: true,
    sweepEveryMs: leaseMs,
    // How soon a lane goes on after the lease of a dead replica has expired.
    lookEveryMs: leaseMs / 4,
    // An unreachable Redis may come back.
    gone: new Promise(() => undefined),
    async close() {
      await dispatcher.close();
      announcements.close();
      await store.close();
    },
  };
}
