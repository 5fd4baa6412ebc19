import type { ThreadConversation, ThreadStore } from '../../conversation/thread-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import { toWorkspace } from '../thread-workspace.ts';
import type { RedisConnection } from './redis-connection.ts';
import { THREAD, threadsOf, WORKSPACES } from './redis-keys.ts';
import { forgetThreads } from './redis-retention.ts';
import { redisScript } from './redis-script.ts';

/**
 * A hash per thread. `e:<user>`: has spoken in it, for which workspace. `c:<id>`: a conversation's record. `t` and
 * `p:<user>`: the id of the thread's conversation, and of a person's own.
 */
export function createRedisThreads(redis: RedisConnection, now: () => number): ThreadStore {
  const { send } = redis;
  const keysOf = (thread: string, workspace: string) => [THREAD + thread, threadsOf(workspace)];
  return {
    async engage(thread, user, workspace) {
      const args = [thread, workspace, now(), user];
      await send((client) => client.engageInThread(keysOf(thread, workspace), args));
    },
    isEngaged: async (thread, user) => (await send((client) => client.hExists(THREAD + thread, `e:${user}`))) === 1,
    async conversation(thread, user) {
      const body = await send((client) => client.findConversation([THREAD + thread], [user]));
      return body ? readRecord<ThreadConversation>(body, NEWEST_SCHEMA.conversation) : undefined;
    },
    async keep(thread, conversation, former = '') {
      const { id, owner, heldBy } = conversation;
      const workspace = toWorkspace(thread, conversation);
      const holder = heldBy === 'person' ? `p:${owner}` : 't';
      const args = [thread, workspace, now(), id, toBody(conversation, workspace), holder, former];
      await send((client) => client.keepConversation(keysOf(thread, workspace), args));
    },
    async update(thread, conversation) {
      const workspace = toWorkspace(thread, conversation);
      const args = [thread, workspace, now(), conversation.id, toBody(conversation, workspace)];
      await send((client) => client.updateConversation(keysOf(thread, workspace), args));
    },
    async drop(thread, conversationId) {
      await send((client) => client.dropConversation([THREAD + thread], [conversationId]));
    },
    forget: (before) => forgetThreads(redis, before),
  };
}

/** The scripts that remove records look at `workspace` alone. */
function toBody(conversation: ThreadConversation, workspace: string): string {
  return JSON.stringify({ ...conversation, workspace } satisfies ThreadConversation);
}

export const threadScripts = {
  engageInThread: redisScript<number>(`
-- KEYS: 1 the thread, 2 its workspace's threads. ARGV: 1 thread, 2 workspace, 3 now, 4 user. Returns 1.
redis.call('HSET', KEYS[1], 'e:' .. ARGV[4], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('SADD', '${WORKSPACES}', ARGV[2])
return 1
`),
  findConversation: redisScript<string | null>(`
-- KEYS: 1 the thread. ARGV: 1 user. Returns the record of their own conversation, else of the thread's, else nothing.
local held = redis.call('HMGET', KEYS[1], 'p:' .. ARGV[1], 't')
local id = held[1] or held[2]
return id and redis.call('HGET', KEYS[1], 'c:' .. id)
`),
  keepConversation: redisScript<number>(`
-- KEYS: 1 the thread, 2 its workspace's threads.
-- ARGV: 1 thread, 2 workspace, 3 now, 4 id, 5 record, 6 holder's field, 7 the id that it may take the place of, or ''.
-- Returns 1, or 0 where another is held in this way, which stays.
local former = redis.call('HGET', KEYS[1], ARGV[6])
if former and former ~= ARGV[7] and former ~= ARGV[4] then return 0 end
if former then redis.call('HDEL', KEYS[1], 'c:' .. former) end
redis.call('HSET', KEYS[1], ARGV[6], ARGV[4], 'c:' .. ARGV[4], ARGV[5])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('SADD', '${WORKSPACES}', ARGV[2])
return 1
`),
  updateConversation: redisScript<number>(`
-- KEYS: 1 the thread, 2 its workspace's threads. ARGV: 1 thread, 2 workspace, 3 now, 4 id, 5 record.
-- Returns 1, or 0 where it is not kept any more.
local known = redis.call('HGET', KEYS[1], 'c:' .. ARGV[4])
if not known then return 0 end
local record = ARGV[5]
if cjson.decode(known).hasPrivateAnswers then
  local changed = cjson.decode(record)
  changed.hasPrivateAnswers = true
  record = cjson.encode(changed)
end
redis.call('HSET', KEYS[1], 'c:' .. ARGV[4], record)
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('SADD', '${WORKSPACES}', ARGV[2])
return 1
`),
  dropConversation: redisScript<number>(`
-- KEYS: 1 the thread. ARGV: 1 id. Returns 1, or 0 where it is not kept any more.
local record = redis.call('HGET', KEYS[1], 'c:' .. ARGV[1])
if not record then return 0 end
redis.call('HDEL', KEYS[1], 'c:' .. ARGV[1])
for _, holder in ipairs({ 't', 'p:' .. cjson.decode(record).owner }) do
  if redis.call('HGET', KEYS[1], holder) == ARGV[1] then redis.call('HDEL', KEYS[1], holder) end
end
return 1
`),
};
