import { randomUUID } from 'node:crypto';
import { LockBusyError } from '../../errors.ts';
import type { WithLock } from '../../with-lock.ts';
import { type RedisConnection, redisScript, type Send } from './redis-client.ts';
import { LOCK } from './redis-keys.ts';

type LockTimes = {
  /** How long a crashed holder blocks the others. */
  lifeMs: number;
  /** The lock is extended while the work goes on. */
  extendEveryMs: number;
  /** A person waits for this; their question is retried later. */
  waitMs: number;
};

const TIMES: LockTimes = { lifeMs: 10_000, extendEveryMs: 3_000, waitMs: 15_000 };

const POLL_MS = 40;

/**
 * A lock across replicas. Throws LockBusyError if it is not acquired in time.
 *
 * Advisory, to save work: a paused process may continue after the lock has passed to another one. Work that must not be
 * done twice needs a fence of its own, such as the version of a link.
 */
export function createRedisLock({ send }: RedisConnection<typeof lockScripts>, times = TIMES): WithLock {
  return async function withLock(key, run) {
    const lock = { name: LOCK + key, token: randomUUID() };
    await acquire(send, lock, times);
    const extend = () => send((client) => client.extendLock([lock.name], [lock.token, times.lifeMs]));
    // If extending fails, the lock expires by itself.
    const extending = setInterval(() => void extend().catch(() => undefined), times.extendEveryMs);
    try {
      return await run();
    } finally {
      clearInterval(extending);
      // Not awaited: a failed release must not delay the result.
      void send((client) => client.releaseLock([lock.name], [lock.token])).catch(() => undefined);
    }
  };
}

type Lock = { name: string; token: string };

async function acquire(send: Send, { name, token }: Lock, { lifeMs, waitMs }: LockTimes): Promise<void> {
  const options = { condition: 'NX', expiration: { type: 'PX', value: lifeMs } } as const;
  const givenUpAt = performance.now() + waitMs;
  while ((await send((client) => client.set(name, token, options))) === null) {
    if (performance.now() > givenUpAt) throw new LockBusyError(`a lock is held for more than ${waitMs} ms`);
    // Jitter, to avoid a thundering herd.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS * (1 + 2 * Math.random())));
  }
}

export const lockScripts = {
  extendLock: redisScript<number>(`
-- KEYS: 1 the lock. ARGV: 1 token, 2 how long from now (ms). Returns 1, or 0 if it is not ours any more.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`),
  releaseLock: redisScript<number>(`
-- KEYS: 1 the lock. ARGV: 1 token. Returns 1, or 0 if it is not ours any more.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`),
};
