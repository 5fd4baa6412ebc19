import type { SetOptions } from 'redis';
import type { ClaimStore } from '../../identity/once-store.ts';
import type { RedisConnection } from './redis-client.ts';
import { ONCE } from './redis-keys.ts';

/**
 * Redis removes what is past its time by its own clock; whether it still counts is for ours to say. Where the answer to
 * a `take` is lost, so is the thing: whoever held it begins again.
 */
export function createRedisOnce({ send }: RedisConnection, now: () => number): ClaimStore {
  const read = (stored: string | null) => {
    if (stored === null) return undefined;
    const { value, expiresAt }: Stored = JSON.parse(stored);
    return expiresAt > now() ? value : undefined;
  };
  const write = (key: string, value: string, expiresAt: number, options: SetOptions = {}) => {
    const lifeMs = Math.max(1, Math.ceil(expiresAt - now()));
    const stored = JSON.stringify({ value, expiresAt } satisfies Stored);
    return send((client) => client.set(ONCE + key, stored, { ...options, expiration: { type: 'PX', value: lifeMs } }));
  };
  return {
    async put(key, value, expiresAt) {
      await write(key, value, expiresAt);
    },
    async claim(key, value, expiresAt) {
      const before = await write(key, value, expiresAt, { condition: 'NX', GET: true });
      const held = read(before);
      // By our clock it may be over before Redis has removed it: for as long as the clocks differ, two may have it.
      if (before !== null && held === undefined) await write(key, value, expiresAt);
      return held ?? value;
    },
    take: async (key) => read(await send((client) => client.getDel(ONCE + key))),
    peek: async (key) => read(await send((client) => client.get(ONCE + key))),
  };
}

type Stored = { value: string; expiresAt: number };
