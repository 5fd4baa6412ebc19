import type { ThreadStore } from '../../conversation/stores.ts';
import type { ThreadConversation } from '../../conversation/turn.ts';
import { type RedisConnection, redisScript } from '../../storage/redis/redis-client.ts';
import { readRecord } from '../record.ts';
import { createWalk, type walkScripts } from './redis-walk.ts';
import { THREAD } from './turn-keys.ts';

/**
 * A hash per thread. `e:<user>`: the workspace of a person who has spoken in it. `c:<id>`: a conversation's record.
 * `t`: the id of the thread's conversation. `p:<user>`: that of a person's own. Written with turns: see turn-scripts.ts.
 */
export function createRedisThreads(redis: RedisConnection<typeof threadScripts & typeof walkScripts>): ThreadStore {
  const { send } = redis;
  const walk = createWalk(redis);
  return {
    isEngaged: async (thread, user) => (await send((client) => client.hExists(THREAD + thread, `e:${user}`))) === 1,
    async conversation(thread, user) {
      const body = await send((client) => client.findConversation([THREAD + thread], [user]));
      return body ? readRecord<ThreadConversation>(body) : undefined;
    },
    forget: async (before) => (await walk('walkThreads', { before, mode: 'forget' })).removed,
  };
}

export const threadScripts = {
  findConversation: redisScript<string | null>(`
-- KEYS: 1 the thread. ARGV: 1 user. Returns the record of their own conversation, else of the thread's, else nothing.
local held = redis.call('HMGET', KEYS[1], 'p:' .. ARGV[1], 't')
local id = held[1] or held[2]
return id and redis.call('HGET', KEYS[1], 'c:' .. id)
`),
};
