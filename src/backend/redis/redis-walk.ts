import type { Person } from '../../conversation/question.ts';
import { type RedisConnection, redisScript } from '../../storage/redis/redis-client.ts';
import { DEAD_TURNS, THREAD, THREADS, TURN, TURNS } from './turn-keys.ts';
import { LISTING } from './turn-scripts.ts';

/**
 * Which records to read or remove. `before` (epoch ms): turns accepted, or threads used, before it. `person`,
 * `workspace`: only their records. `forget` keeps turns that are not done; `purge` keeps none.
 */
type Walk = { before?: number; person?: Person; workspace?: string; mode: 'read' | 'forget' | 'purge' };

/** How many records were removed, and the rows that were read: see walkScripts. */
type Found = { removed: number; rows: (string | null)[][] };

/** A batch takes about a millisecond; larger ones would block Redis. */
const BATCH = 100;

/**
 * Goes through all turns or threads in order of time, a batch at a time. There is no index by person or workspace:
 * every question would have to pay for it. A thread that is used meanwhile may be found twice.
 */
export function createWalk({ send }: RedisConnection<typeof walkScripts>) {
  return async function walk(script: 'walkTurns' | 'walkThreads', how: Walk): Promise<Found> {
    const { before, person = { team: '', user: '' }, workspace = '', mode } = how;
    const key = script === 'walkTurns' ? TURNS : THREADS;
    const to = before === undefined ? '+inf' : `(${before}`;
    const found: Found = { removed: 0, rows: [] };
    for (let from = '-inf'; from !== ''; ) {
      const args = [from, to, BATCH, mode, workspace, person.team, person.user];
      const [goOn, removed, rows] = (await send((client) => client[script]([key], args))) as Batch;
      found.removed += removed;
      found.rows.push(...rows);
      from = goOn;
    }
    return found;
  };
}

type Batch = [goOn: string, removed: number, rows: (string | null)[][]];

/** Lua: about `count` members of a sorted set from one score on, and where the next ones begin, or ''. */
const PAGE = `local function page(key, from, to, count)
  local last = redis.call('ZRANGE', key, from, to, 'BYSCORE', 'LIMIT', count - 1, 1, 'WITHSCORES')[2]
  return redis.call('ZRANGE', key, from, last or to, 'BYSCORE'), last and '(' .. last or ''
end

local from, to, count, mode, workspace, team, user = unpack(ARGV)
local removed, rows = 0, {}
local members, goOn = page(KEYS[1], from, to, count)`;

export const walkScripts = {
  walkTurns: redisScript<Batch>(`
-- KEYS: 1 all turns. ARGV: where to begin and to end, how many, mode, then the workspace, the team and the user, or ''.
-- Returns where to go on, how many were removed, and fence, stage, notBefore and body of each turn that was read.
${LISTING}
${PAGE}

local function isMeant(key)
  if user .. workspace == '' then return true end
  local body = redis.call('HGET', key, 'body')
  -- Decoding all records would take much longer.
  if not body or not string.find(body, '"' .. user .. workspace .. '"', 1, true) then return false end
  local question = cjson.decode(body).question
  if user == '' then return question.workspace == workspace end
  return question.asker.user == user and question.asker.team == team
end

for _, id in ipairs(members) do
  local key = '${TURN}' .. id
  if isMeant(key) then
    local turn = readTurn(key)
    if mode == 'read' then
      rows[#rows + 1] = redis.call('HMGET', key, 'fence', 'stage', 'notBefore', 'body')
    elseif mode == 'purge' or turn.stage == 'done' then
      delist(id, turn)
      redis.call('DEL', key)
      redis.call('ZREM', '${DEAD_TURNS}', id)
      redis.call('ZREM', KEYS[1], id)
      removed = removed + 1
    end
  end
end
return { goOn, removed, rows }
`),

  walkThreads: redisScript<Batch>(`
-- KEYS: 1 all threads. ARGV: as for walkTurns. A thread may have several people, and workspaces of an organisation.
-- Returns where to go on, how many records were removed, and for each thread that was read: its key, '1' if the person
-- has spoken in it, and the records of their conversations.
${PAGE}

local function isMeant(field, value)
  local kind = string.sub(field, 1, 2)
  if kind ~= 'e:' and kind ~= 'c:' then return false end
  local its = kind == 'e:' and { owner = string.sub(field, 3), workspace = value } or cjson.decode(value)
  return (user == '' or its.owner == user) and (workspace == '' or its.workspace == workspace)
end

local function remove(key, fields, meant)
  for i = 1, #fields, 2 do
    local field = fields[i]
    if meant[field] then removed = removed + redis.call('HDEL', key, field) end
    local isHolder = field == 't' or string.sub(field, 1, 2) == 'p:'
    if isHolder and meant['c:' .. fields[i + 1]] then redis.call('HDEL', key, field) end
  end
end

for _, thread in ipairs(members) do
  if user == '' or string.sub(thread, 1, #team + 1) == team .. ':' then
    local key = '${THREAD}' .. thread
    local fields = redis.call('HGETALL', key)
    local meant, row = {}, { thread, '0' }
    for i = 1, #fields, 2 do
      if isMeant(fields[i], fields[i + 1]) then
        meant[fields[i]] = true
        if string.sub(fields[i], 1, 2) == 'e:' then row[2] = '1' else row[#row + 1] = fields[i + 1] end
      end
    end
    if mode == 'read' then
      if next(meant) then rows[#rows + 1] = row end
    else
      remove(key, fields, meant)
      if redis.call('EXISTS', key) == 0 then redis.call('ZREM', KEYS[1], thread) end
    end
  end
end
return { goOn, removed, rows }
`),
};
