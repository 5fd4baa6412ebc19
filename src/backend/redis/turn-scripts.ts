import type { Stage, ThreadChange } from '../../conversation/turn.ts';
import { LONGEST_WAIT_MS } from '../../conversation/waits.ts';
import { redisScript, redisScriptWhenFull } from '../../storage/redis/redis-client.ts';
import { ARRIVALS } from '../../storage/redis/redis-keys.ts';
import { LEASING } from './redis-leases.ts';
import {
  DEAD_TURNS,
  LANE,
  LEASE,
  OPEN_LANES,
  OPEN_TURNS,
  PARKED_OF,
  PARKED_TURNS,
  THREAD,
  THREADS,
  TURN,
} from './turn-keys.ts';

/** Lua for scripts that also change threads: `changeThreads(from)` reads ARGV from that index. */
const THREAD_CHANGES = `local change = {}

function change.engage(key, user, workspace)
  redis.call('HSET', key, 'e:' .. user, workspace)
  return true
end

function change.keep(key, id, _, record, holder, former)
  local held = redis.call('HGET', key, holder)
  if held and held ~= former and held ~= id then return false end
  if held then redis.call('HDEL', key, 'c:' .. held) end
  redis.call('HSET', key, holder, id, 'c:' .. id, record)
  return true
end

function change.update(key, id, _, record)
  local known = redis.call('HGET', key, 'c:' .. id)
  if not known then return false end
  local changed, secrecy = cjson.decode(record), cjson.decode(known).secrecy
  if changed.secrecy < secrecy then
    changed.secrecy = secrecy
    record = cjson.encode(changed)
  end
  redis.call('HSET', key, 'c:' .. id, record)
  return true
end

function change.drop(key, id, _, _, holder)
  redis.call('HDEL', key, 'c:' .. id)
  if redis.call('HGET', key, holder) == id then redis.call('HDEL', key, holder) end
  return false
end

-- Eight arguments per change: kind, thread, user or conversation, workspace, record, holder's field, former, now.
local function changeThreads(from)
  for i = from, #ARGV, 8 do
    local kind, thread, id, workspace, record, holder, former, now = unpack(ARGV, i, i + 7)
    if change[kind]('${THREAD}' .. thread, id, workspace, record, holder, former) then
      redis.call('ZADD', '${THREADS}', now, thread)
    end
  end
end`;

/** The arguments of `changeThreads`. */
export function toThreadArgs(changes: readonly ThreadChange[], now: number): (string | number)[] {
  return changes.flatMap((change) => [change.kind, change.thread, ...toFields(change), now]);
}

function toFields(change: ThreadChange): string[] {
  if (change.kind === 'engage') return [change.user, change.workspace, '', '', ''];
  const { conversation } = change;
  const { id, workspace, owner, heldBy } = conversation;
  const holder = heldBy === 'person' ? `p:${owner}` : 't';
  const former = (change.kind === 'keep' && change.former) || '';
  return [id, workspace, JSON.stringify(conversation), holder, former];
}

/**
 * Lua that maintains the indexes of turns. It derives their keys from the turn's record, so a cluster is not supported.
 * `fence`, `settled`, `run`, `stage` and `notBefore` are fields of their own, because they change without `body`. While a
 * turn is not done, `lane`, `person`, `seq` (order of arrival) and `at` (acceptance) say where it is indexed.
 */
export const LISTING = `local function readTurn(key)
  local f = redis.call('HMGET', key, 'stage', 'fence', 'lane', 'person', 'seq', 'at', 'notBefore', 'run')
  return {
    stage = f[1], fence = f[2], lane = f[3], person = f[4], seq = f[5], at = f[6], waited = f[7] or '', run = f[8] or ''
  }
end

local function enlist(id, turn)
  if turn.stage == 'done' then return end
  if turn.stage == 'parked' then
    redis.call('ZADD', '${PARKED_TURNS}', turn.seq, id)
    redis.call('ZADD', '${PARKED_OF}' .. turn.person, turn.seq, id)
  else
    redis.call('ZADD', '${LANE}' .. turn.lane, turn.seq, id)
    redis.call('ZADD', '${OPEN_LANES}', 'NX', turn.due or 0, turn.lane)
    redis.call('ZADD', '${OPEN_TURNS}', turn.at, id)
  end
end

local function delist(id, turn)
  if not turn.stage or turn.stage == 'done' then return end
  if turn.stage == 'parked' then
    redis.call('ZREM', '${PARKED_TURNS}', id)
    redis.call('ZREM', '${PARKED_OF}' .. turn.person, id)
  else
    redis.call('ZREM', '${LANE}' .. turn.lane, id)
    if redis.call('EXISTS', '${LANE}' .. turn.lane) == 0 then
      redis.call('ZREM', '${OPEN_LANES}', turn.lane)
    elseif turn.waited ~= '' then
      redis.call('ZADD', '${OPEN_LANES}', 'XX', 0, turn.lane)
    end
    redis.call('ZREM', '${OPEN_TURNS}', id)
  end
end

-- Most changes leave the turn in its lane.
local function relist(id, turn, stage, lane)
  if turn.stage ~= 'parked' and stage ~= 'parked' and lane == turn.lane then return end
  delist(id, turn)
  turn.stage, turn.lane = stage, lane
  enlist(id, turn)
end`;

/** `fence`, `stage`, `notBefore`, `body`, `run`, `settled`, `seq` of the turn's hash. */
export type TurnRow = (string | null)[];
const ROW = `'fence', 'stage', 'notBefore', 'body', 'run', 'settled', 'seq'`;

export const turnScripts = {
  acceptTurn: redisScript<number>(`
-- KEYS: 1 the turn, 2 all turns.
-- ARGV: 1 id, 2 lane, 3 person, 4 stage, 5 fence, 6 acceptedAt, 7 notBefore or '', 8 body, 9 the holder that takes it
-- or '', 10 run or '', then the changes of threads.
-- Returns 1 if the turn is new, 2 if it was also taken, 0 if there is a turn with this id.
${LISTING}
${LEASING}
${THREAD_CHANGES}
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local turn = { stage = ARGV[4], lane = ARGV[2], person = ARGV[3], at = ARGV[6], due = tonumber(ARGV[7]) }
local isTaken = ARGV[9] ~= '' and redis.call('EXISTS', '${LANE}' .. turn.lane) == 0 and takeLane(turn.lane, ARGV[9]) > 0
turn.seq = redis.call('INCR', '${ARRIVALS}')
redis.call('HSET', KEYS[1], 'lane', turn.lane, 'person', turn.person, 'seq', turn.seq, 'at', turn.at,
  'stage', turn.stage, 'fence', isTaken and 1 or ARGV[5], 'notBefore', ARGV[7], 'body', ARGV[8], 'run', ARGV[10])
redis.call('ZADD', KEYS[2], turn.at, ARGV[1])
enlist(ARGV[1], turn)
changeThreads(11)
return isTaken and 2 or 1
`),

  takeHead: redisScriptWhenFull<TurnRow | null>(`
-- KEYS: 1 the lane, 2 its lease. ARGV: 1 now, 2 deaths, 3 the token of the replica that must hold it, or '', 4 run.
-- Raises the fence of the first turn, unless it waits (waits.ts), or its last 'deaths' runs or more died.
-- Returns '1' if the fence was raised, else '0'; how many turns are in the lane; and the row. Or nothing.
${LEASING}
if ARGV[3] ~= '' and tokenOf(redis.call('GET', KEYS[2]) or '') ~= ARGV[3] then return false end
local first = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
if not first then return false end
local key = '${TURN}' .. first
local f = redis.call('HMGET', key, 'notBefore', 'fence', 'settled')
local notBefore, fence, settled = tonumber(f[1]), tonumber(f[2]), tonumber(f[3]) or 0
local now = tonumber(ARGV[1])
local isDue = not notBefore or notBefore <= now or notBefore > now + ${LONGEST_WAIT_MS}
local isTaken = isDue and fence - settled < tonumber(ARGV[2])
if isTaken then redis.call('HSET', key, 'fence', fence + 1, 'run', ARGV[4]) end
local inLane = tostring(redis.call('ZCARD', KEYS[1]))
return { isTaken and '1' or '0', inLane, unpack(redis.call('HMGET', key, ${ROW})) }
`),

  saveTurn: redisScriptWhenFull<number>(`
-- KEYS: 1 the turn. ARGV: 1 id, 2 fence, 3 stage, 4 lane, 5 notBefore or '', 6 body, 7 '1' if it was given up,
-- 8 run or '', 9 settled or '', then the changes of threads.
-- Returns 1, or 0 if the fence or the run differs, or if a done turn would become open again. Repeating it changes nothing.
${LISTING}
${THREAD_CHANGES}
local turn = readTurn(KEYS[1])
local stage = ARGV[3]
if turn.fence ~= ARGV[2] or turn.run ~= ARGV[8] or (turn.stage == 'done' and stage ~= 'done') then return 0 end
if turn.stage == 'done' then
  redis.call('HSET', KEYS[1], 'settled', ARGV[9], 'body', ARGV[6])
elseif stage == 'done' then
  delist(ARGV[1], turn)
  redis.call('HDEL', KEYS[1], 'lane', 'person', 'seq', 'at', 'notBefore')
  redis.call('HSET', KEYS[1], 'stage', stage, 'settled', ARGV[9], 'body', ARGV[6])
  if ARGV[7] == '1' then redis.call('ZADD', '${DEAD_TURNS}', turn.seq, ARGV[1]) end
else
  local isMoved = turn.lane ~= ARGV[4]
  relist(ARGV[1], turn, stage, ARGV[4])
  redis.call('HSET', KEYS[1], 'stage', stage, 'lane', ARGV[4], 'settled', ARGV[9], 'notBefore', ARGV[5], 'body', ARGV[6])
  local due = ARGV[5]
  -- It waits no longer, or it is ahead of a waiting turn in its new lane.
  if due == '' and (isMoved or turn.waited ~= '') then due = '0' end
  -- The first turn of the lane may be another by now: one that was parked.
  local isFirst = due ~= '' and redis.call('ZRANGE', '${LANE}' .. ARGV[4], 0, 0)[1] == ARGV[1]
  if isFirst and stage ~= 'parked' then redis.call('ZADD', '${OPEN_LANES}', 'XX', due, ARGV[4]) end
end
changeThreads(10)
return 1
`),

  endTurn: redisScriptWhenFull<number>(`
-- KEYS: 1 the turn. ARGV: 1 id, 2 stage. Returns 1, or 0 if there is nothing to end.
${LISTING}
local turn = readTurn(KEYS[1])
local canEnd = { accepted = true, waiting = true, parked = true, asking = true }
if not turn.stage or not canEnd[turn.stage] then return 0 end
relist(ARGV[1], turn, ARGV[2], turn.lane)
redis.call('HSET', KEYS[1], 'fence', turn.fence + 1, 'settled', turn.fence + 1, 'stage', ARGV[2], 'notBefore', '')
redis.call('ZADD', '${OPEN_LANES}', 'XX', 0, turn.lane)
return 1
`),

  reviseTurn: redisScript<number>(`
-- KEYS: 1 the turn. ARGV: as read: 1 fence, 2 stage, 3 body; new: 4 fence, 5 body.
-- Returns 1, or 0 if the turn has changed meanwhile. Repeating it changes nothing.
local f = redis.call('HMGET', KEYS[1], 'fence', 'stage', 'body')
if f[1] == ARGV[4] and f[2] == ARGV[2] and f[3] == ARGV[5] then return 1 end
if f[1] ~= ARGV[1] or f[2] ~= ARGV[2] or f[3] ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 'fence', ARGV[4], 'settled', ARGV[4], 'body', ARGV[5])
return 1
`),

  unparkTurns: redisScriptWhenFull<string[]>(`
-- KEYS: 1 a person's parked turns. Returns the lanes of those that were made 'accepted'.
${LISTING}
local lanes = {}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local key = '${TURN}' .. id
  local turn = readTurn(key)
  turn.at = string.format('%.0f', now)
  relist(id, turn, 'accepted', turn.lane)
  local fence = turn.fence + 1
  redis.call('HSET', key, 'fence', fence, 'settled', fence, 'stage', 'accepted', 'notBefore', '', 'at', turn.at)
  redis.call('ZADD', '${OPEN_LANES}', 'XX', 0, turn.lane)
  lanes[#lanes + 1] = turn.lane
end
return lanes
`),

  dueLanes: redisScript<string[]>(`
-- KEYS: 1 the open lanes. ARGV: 1 now, 2 the token of the replica that asks, then jobs. Returns the lanes whose first
-- turn may run (waits.ts) and that no other replica holds, and the jobs whose holder is gone.
${LEASING}
local due = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE')
local later = redis.call('ZRANGE', KEYS[1], '(' .. string.format('%.0f', ARGV[1] + ${LONGEST_WAIT_MS}), '+inf', 'BYSCORE')
local free = {}
for i, lanes in ipairs({ due, later, { unpack(ARGV, 3) } }) do
  for _, lane in ipairs(lanes) do
    local token = tokenOf(redis.call('GET', '${LEASE}' .. lane) or '')
    local isFree = token == '' or token == ARGV[2]
    if isFree and i < 3 or not isFree and not isThere(token) then free[#free + 1] = lane end
  end
end
return free
`),

  stagesOf: redisScript<Stage[]>(`
-- KEYS: 1 a sorted set of turns. ARGV: 1 and 2 the first and the last index. Returns the stage of each.
local stages = {}
for i, id in ipairs(redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[2])) do
  stages[i] = redis.call('HGET', '${TURN}' .. id, 'stage')
end
return stages
`),

  listTurns: redisScript<TurnRow[]>(`
-- KEYS: 1 a sorted set of turns. ARGV: the arguments of ZRANGE after the key. Returns rows.
local rows = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], unpack(ARGV))) do
  rows[#rows + 1] = redis.call('HMGET', '${TURN}' .. id, ${ROW})
end
return rows
`),
};
