import { type RedisConnection, redisScript } from '../../storage/redis/redis-client.ts';
import { DEAD_TURNS, THREAD, TURN, threadsOf, turnsOf, WORKSPACES } from './turn-keys.ts';
import { LISTING } from './turn-scripts.ts';

type Connection = RedisConnection<typeof retentionScripts>;

/** A batch takes about a millisecond; larger ones would block Redis. */
const BATCH = 100;

/** Forgets done turns that were accepted before `before`. */
export function forgetTurns(redis: Connection, before: number): Promise<number> {
  return ofEach(redis, (workspace) => removeTurns(redis, workspace, [`(${before}`, 0]));
}

/** Forgets threads unused since `before`. */
export function forgetThreads(redis: Connection, before: number): Promise<number> {
  return ofEach(redis, (workspace) => removeThreads(redis, workspace, `(${before}`));
}

/** See Store.purge. */
export async function purgeWorkspace(redis: Connection, workspace: string): Promise<number> {
  const turns = await removeTurns(redis, workspace, ['+inf', 1]);
  const threads = await removeThreads(redis, workspace, '+inf');
  await leaveIfEmpty(redis, workspace);
  return turns + threads;
}

async function ofEach(redis: Connection, forget: (workspace: string) => Promise<number>): Promise<number> {
  let forgotten = 0;
  for (const workspace of await redis.send((client) => client.sMembers(WORKSPACES))) {
    forgotten += await forget(workspace);
    await leaveIfEmpty(redis, workspace);
  }
  return forgotten;
}

/** `which`: accepted until when, and 1 where open ones go, too. */
function removeTurns({ send }: Connection, workspace: string, which: (string | number)[]): Promise<number> {
  return repeat((kept) => send((client) => client.removeTurns([turnsOf(workspace)], [...which, kept, BATCH])));
}

function removeThreads({ send }: Connection, workspace: string, until: string): Promise<number> {
  const args = [workspace, until, BATCH];
  return repeat(() => send((client) => client.removeThreads([threadsOf(workspace)], args)));
}

/**
 * Repeats a batch, which returns how many entries it looked at, and how many records it removed. `kept`: how many entries
 * it has passed.
 */
async function repeat(removeBatch: (kept: number) => Promise<number[]>): Promise<number> {
  let total = 0;
  for (let kept = 0; ; ) {
    const [looked = 0, removed = 0] = await removeBatch(kept);
    total += removed;
    kept += looked - removed;
    if (looked < BATCH) return total;
  }
}

function leaveIfEmpty(redis: Connection, workspace: string): Promise<number> {
  const kept = [turnsOf(workspace), threadsOf(workspace)];
  return redis.send((client) => client.leaveIfEmpty([WORKSPACES, ...kept], [workspace]));
}

export const retentionScripts = {
  removeTurns: redisScript<number[]>(`
-- KEYS: 1 a workspace's turns. ARGV: 1 accepted until when, 2 1 where open ones go, too, 3 how many are known to stay, 4 how
-- many to look at. Returns how many it looked at, and how many of them it removed.
${LISTING}
local ids = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', ARGV[3], ARGV[4])
local removed = 0
for _, id in ipairs(ids) do
  local turn = readTurn('${TURN}' .. id)
  if turn.stage == 'done' or ARGV[2] == '1' then
    delist(id, turn)
    redis.call('DEL', '${TURN}' .. id)
    redis.call('ZREM', '${DEAD_TURNS}', id)
    redis.call('ZREM', KEYS[1], id)
    removed = removed + 1
  end
end
return { #ids, removed }
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
