import { randomUUID } from 'node:crypto';
import { LockBusyError } from '../../errors.ts';
import type { WithLock } from '../../with-lock.ts';
import type { RedisConnection, Send } from './redis-client.ts';
import { LOCK } from './redis-keys.ts';
import { redisScript } from './redis-script.ts';

type LockTimes = {
  /** Whoever dies with it keeps the others waiting for so long. */
  lifeMs: number;
  /** It lives on while the work goes on, however long. */
  extendEveryMs: number;
  /** A person waits behind this; what they asked is tried again later. */
  waitMs: number;
};

const TIMES: LockTimes = { lifeMs: 10_000, extendEveryMs: 3_000, waitMs: 15_000 };

const POLL_MS = 40;

/**
 * Across replicas. Throws LockBusyError where its turn does not come in time.
 *
 * A courtesy that saves work, by the clock of Redis. A process that stood still may come back when another holds it, so
 * what must not be done twice needs a fence of its own: the version of a link is one.
 */
export function createRedisLock({ send }: RedisConnection<typeof lockScripts>, times = TIMES): WithLock {
  return async function withLock(key, run) {
    const lock = { name: LOCK + key, token: randomUUID() };
    await acquire(send, lock, times);
    const extend = () => send((client) => client.extendLock([lock.name], [lock.token, times.lifeMs]));
    const extending = setInterval(() => settle(extend()), times.extendEveryMs);
    try {
      return await run();
    } finally {
      clearInterval(extending);
      // Not waited for: nobody should wait for a result because the lock that guarded it cannot be given back.
      settle(send((client) => client.releaseLock([lock.name], [lock.token])));
    }
  };
}

type Lock = { name: string; token: string };

async function acquire(send: Send, { name, token }: Lock, { lifeMs, waitMs }: LockTimes): Promise<void> {
  const options = { condition: 'NX', expiration: { type: 'PX', value: lifeMs } } as const;
  const givenUpAt = performance.now() + waitMs;
  while ((await send((client) => client.set(name, token, options))) === null) {
    if (performance.now() > givenUpAt) throw new LockBusyError(`a lock is held for more than ${waitMs} ms`);
    // At random, or those who came together would ask together for ever.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS * (1 + 2 * Math.random())));
  }
}

/** It expires by itself. */
function settle(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

export const lockScripts = {
  extendLock: redisScript<number>(`
-- KEYS: 1 the lock. ARGV: 1 token, 2 how long from now (ms). Returns 1, or 0 where it is not ours any more.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`),
  releaseLock: redisScript<number>(`
-- KEYS: 1 the lock. ARGV: 1 token. Returns 1, or 0 where it is not ours any more.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`),
};
