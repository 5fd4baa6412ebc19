import type { OnceStore } from '../../identity/once-store.ts';
import type { RedisConnection } from './redis-connection.ts';
import { ONCE } from './redis-keys.ts';

/**
 * Redis removes what is past its time by its own clock; whether it still counts is for ours to say. Where the answer to
 * a `take` is lost, so is the thing: whoever held it begins again.
 */
export function createRedisOnce({ send }: RedisConnection, now: () => number): OnceStore {
  const read = (stored: string | null) => {
    if (stored === null) return undefined;
    const { value, expiresAt }: Stored = JSON.parse(stored);
    return expiresAt > now() ? value : undefined;
  };
  return {
    async put(key, value, expiresAt) {
      const lifeMs = Math.max(1, Math.ceil(expiresAt - now()));
      const stored = JSON.stringify({ value, expiresAt } satisfies Stored);
      await send((client) => client.set(ONCE + key, stored, { expiration: { type: 'PX', value: lifeMs } }));
    },
    take: async (key) => read(await send((client) => client.getDel(ONCE + key))),
    peek: async (key) => read(await send((client) => client.get(ONCE + key))),
  };
}

type Stored = { value: string; expiresAt: number };
