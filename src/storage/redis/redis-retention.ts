import { type RedisConnection, redisScript } from './redis-client.ts';
import { DEAD_TURNS, THREAD, TURN, threadsOf, turnsOf, WORKSPACES } from './redis-keys.ts';
import { LISTING } from './turn-scripts.ts';

/** Forgets done turns that were accepted before `before`. */
export async function forgetTurns(redis: RedisConnection<typeof retentionScripts>, before: number): Promise<number> {
  let forgotten = 0;
  for (const workspace of await listWorkspaces(redis)) {
    for (let kept = 0; ; ) {
      const args = [before, kept, BATCH];
      const [looked = 0, removed = 0] = await redis.send((client) => client.forgetTurns([turnsOf(workspace)], args));
      forgotten += removed;
      kept += looked - removed;
      if (looked < BATCH) break;
    }
    await leaveIfEmpty(redis, workspace);
  }
  return forgotten;
}

/** Forgets threads unused since `before`. */
export async function forgetThreads(redis: RedisConnection<typeof retentionScripts>, before: number): Promise<number> {
  let forgotten = 0;
  for (const workspace of await listWorkspaces(redis)) {
    forgotten += await removeThreads(redis, workspace, `(${before}`);
    await leaveIfEmpty(redis, workspace);
  }
  return forgotten;
}

/** See Store.purge. */
export async function purgeWorkspace(
  redis: RedisConnection<typeof retentionScripts>,
  workspace: string,
): Promise<number> {
  const turns = await repeat(() => redis.send((client) => client.purgeTurns([turnsOf(workspace)], [BATCH])));
  const threads = await removeThreads(redis, workspace, '+inf');
  await leaveIfEmpty(redis, workspace);
  return turns + threads;
}

/** A batch takes about a millisecond; larger ones would block Redis. */
const BATCH = 100;

function removeThreads(
  redis: RedisConnection<typeof retentionScripts>,
  workspace: string,
  until: string,
): Promise<number> {
  const args = [workspace, until, BATCH];
  return repeat(() => redis.send((client) => client.removeThreads([threadsOf(workspace)], args)));
}

/** Repeats a batch, which returns how many entries it processed and how many records it removed. */
async function repeat(removeBatch: () => Promise<number[]>): Promise<number> {
  let total = 0;
  for (;;) {
    const [looked = 0, removed = 0] = await removeBatch();
    total += removed;
    if (looked < BATCH) return total;
  }
}

function listWorkspaces(redis: RedisConnection<typeof retentionScripts>): Promise<string[]> {
  return redis.send((client) => client.sMembers(WORKSPACES));
}

function leaveIfEmpty(redis: RedisConnection<typeof retentionScripts>, workspace: string): Promise<number> {
  const kept = [turnsOf(workspace), threadsOf(workspace)];
  return redis.send((client) => client.leaveIfEmpty([WORKSPACES, ...kept], [workspace]));
}

export const retentionScripts = {
  forgetTurns: redisScript<number[]>(`
-- KEYS: 1 a workspace's turns. ARGV: 1 before, 2 how many open ones are known to be in the way, 3 how many to look at.
-- Returns how many it looked at, and how many of them it removed.
local ids = redis.call('ZRANGE', KEYS[1], '-inf', '(' .. ARGV[1], 'BYSCORE', 'LIMIT', ARGV[2], ARGV[3])
local removed = 0
for _, id in ipairs(ids) do
  if redis.call('HGET', '${TURN}' .. id, 'stage') == 'done' then
    redis.call('DEL', '${TURN}' .. id)
    redis.call('ZREM', '${DEAD_TURNS}', id)
    redis.call('ZREM', KEYS[1], id)
    removed = removed + 1
  end
end
return { #ids, removed }
`),
  purgeTurns: redisScript<number[]>(`
-- KEYS: 1 a workspace's turns. ARGV: 1 how many. Returns how many it removed, twice.
${LISTING}
local ids = redis.call('ZRANGE', KEYS[1], 0, ARGV[1] - 1)
for _, id in ipairs(ids) do
  delist(id, readTurn('${TURN}' .. id))
  redis.call('DEL', '${TURN}' .. id)
  redis.call('ZREM', '${DEAD_TURNS}', id)
  redis.call('ZREM', KEYS[1], id)
end
return { #ids, #ids }
`),
  removeThreads: redisScript<number[]>(`
-- KEYS: 1 a workspace's threads. ARGV: 1 the workspace, 2 until which last use, 3 how many.
-- Returns how many threads it looked at, and how many records it removed. A thread may be of other workspaces, too.
local removed = 0

local function clear(key)
  local fields = redis.call('HGETALL', key)
  local gone = {}
  for i = 1, #fields, 2 do
    local kind, id = string.sub(fields[i], 1, 2), string.sub(fields[i], 3)
    local isOurs = kind == 'e:' and fields[i + 1] == ARGV[1]
    if kind == 'c:' and cjson.decode(fields[i + 1]).workspace == ARGV[1] then
      isOurs = true
      gone[id] = true
    end
    if isOurs then removed = removed + redis.call('HDEL', key, fields[i]) end
  end
  for i = 1, #fields, 2 do
    if (fields[i] == 't' or string.sub(fields[i], 1, 2) == 'p:') and gone[fields[i + 1]] then
      redis.call('HDEL', key, fields[i])
    end
  end
end

local threads = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[2], 'BYSCORE', 'LIMIT', 0, ARGV[3])
for _, thread in ipairs(threads) do
  clear('${THREAD}' .. thread)
  redis.call('ZREM', KEYS[1], thread)
end
return { #threads, removed }
`),
  leaveIfEmpty: redisScript<number>(`
-- KEYS: 1 the workspaces, 2 and 3 what is kept of one. ARGV: 1 that one. Returns 1 where nothing is kept of it any more.
if redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 then return 0 end
return redis.call('SREM', KEYS[1], ARGV[1])
`),
};
