import { type Person, toPersonKey } from '../../conversation/question.ts';
import type { ThreadConversation } from '../../conversation/turn.ts';
import type { PersonalRecords, PersonalThreads } from '../../identity/personal-records.ts';
import { type RedisConnection, redisScript } from '../../storage/redis/redis-client.ts';
import { readRecord } from '../record.ts';
import { toTurn } from './redis-turns.ts';
import { DEAD_TURNS, THREAD, TURN, threadsOf, turnsOf, WORKSPACES } from './turn-keys.ts';

type PersonalConnection = RedisConnection<typeof personalScripts>;

/**
 * There is no index by person, which every question would have to pay for: each call reads through the records of the
 * workspace, a small batch at a time.
 */
export function createRedisPersonal({ send }: PersonalConnection): PersonalRecords {
  /** Outside of an organisation, the team is the workspace. */
  async function listWorkspaces({ team }: Person): Promise<string[]> {
    return team.startsWith('E') ? send((client) => client.sMembers(WORKSPACES)) : [team];
  }

  /** Runs one batch after the other in each workspace, and returns what each found. */
  async function scan(script: 'personalTurns' | 'personalThreads', person: Person, mode: 'read' | 'forget') {
    const found: Found[] = [];
    for (const workspace of await listWorkspaces(person)) {
      const key = script === 'personalTurns' ? turnsOf(workspace) : threadsOf(workspace);
      for (let cursor = '0'; ; ) {
        const args = [cursor, BATCH, person.team, person.user, mode];
        const [next, part] = (await send((client) => client[script]([key], args))) as Batch;
        found.push(part);
        if (next === '0') break;
        cursor = next;
      }
    }
    return found;
  }

  return {
    async turns(person) {
      const rows = (await scan('personalTurns', person, 'read')).flatMap(([, found]) => found);
      const turns = new Map(rows.flatMap((row) => toTurn(row) ?? []).map((turn) => [turn.id, turn]));
      return [...turns.values()]
        .filter(({ question }) => toPersonKey(question.asker) === toPersonKey(person))
        .sort((one, other) => one.acceptedAt - other.acceptedAt);
    },
    async threads(person) {
      const rows = (await scan('personalThreads', person, 'read')).flatMap(([, found]) => found);
      return toThreads(new Map(rows.map(([thread = '', ...rest]) => [thread, rest])));
    },
    async forget(person) {
      const turns = await scan('personalTurns', person, 'forget');
      const threads = await scan('personalThreads', person, 'forget');
      return [...turns, ...threads].reduce((sum, [removed]) => sum + removed, 0);
    },
  };
}

/** A batch takes about a millisecond. Redis gives all of a small set at once. */
const BATCH = 200;

/** By thread: whether they have spoken in it, and their conversations. The same thread may be found twice. */
function toThreads(rows: Map<string, string[]>): PersonalThreads {
  const toConversation = (body: string): ThreadConversation => readRecord<ThreadConversation>(body);
  return {
    spokenIn: [...rows].filter(([, [hasSpoken]]) => hasSpoken === '1').map(([thread]) => thread),
    conversations: [...rows].flatMap(([thread, [, ...bodies]]) =>
      bodies.map((body) => ({ thread, conversation: toConversation(body) })),
    ),
  };
}

/** How many were removed, and what was read. */
type Found = [removed: number, rows: string[][]];

type Batch = [cursor: string, found: Found];

export const personalScripts = {
  personalTurns: redisScript<Batch>(`
-- KEYS: 1 a workspace's turns. ARGV: 1 cursor, 2 about how many, 3 team, 4 user, 5 'read' or 'forget'.
-- Returns the next cursor, and how many done turns of this person were removed, with the rows of those that were read.
local page = redis.call('ZSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
local removed, rows = 0, {}
for i = 1, #page[2], 2 do
  local id = page[2][i]
  local key = '${TURN}' .. id
  local row = redis.call('HMGET', key, 'fence', 'stage', 'notBefore', 'body')
  -- To decode all records would take much longer.
  local asker = row[4] and string.find(row[4], '"' .. ARGV[4] .. '"', 1, true) and cjson.decode(row[4]).question.asker
  if asker and asker.user == ARGV[4] and asker.team == ARGV[3] then
    if ARGV[5] == 'read' then
      rows[#rows + 1] = { row[1], row[2], row[3] or '', row[4] }
    elseif row[2] == 'done' then
      redis.call('DEL', key)
      redis.call('ZREM', '${DEAD_TURNS}', id)
      redis.call('ZREM', KEYS[1], id)
      removed = removed + 1
    end
  end
end
return { page[1], { removed, rows } }
`),
  personalThreads: redisScript<Batch>(`
-- KEYS: 1 a workspace's threads. ARGV: 1 cursor, 2 about how many, 3 team, 4 user, 5 'read' or 'forget'.
-- Returns the next cursor, and how many records of this person were removed, with the threads that were read: the
-- thread, 1 if they have spoken in it, and the records of their conversations.
local page = redis.call('ZSCAN', KEYS[1], ARGV[1], 'COUNT', ARGV[2])
local removed, rows = 0, {}
local spoken = 'e:' .. ARGV[4]

local function forget(key, fields, gone)
  removed = removed + redis.call('HDEL', key, spoken)
  for i = 1, #fields, 2 do
    local name = fields[i]
    if gone[name] then removed = removed + redis.call('HDEL', key, name) end
    local isHolder = name == 't' or string.sub(name, 1, 2) == 'p:'
    if isHolder and gone['c:' .. fields[i + 1]] then redis.call('HDEL', key, name) end
  end
end

for i = 1, #page[2], 2 do
  local thread = page[2][i]
  if string.sub(thread, 1, #ARGV[3] + 1) == ARGV[3] .. ':' then
    local key = '${THREAD}' .. thread
    local fields = redis.call('HGETALL', key)
    local row, gone = { thread, '0' }, {}
    for j = 1, #fields, 2 do
      if fields[j] == spoken then row[2] = '1' end
      if string.sub(fields[j], 1, 2) == 'c:' and cjson.decode(fields[j + 1]).owner == ARGV[4] then
        gone[fields[j]] = true
        row[#row + 1] = fields[j + 1]
      end
    end
    if row[2] == '1' or #row > 2 then
      if ARGV[5] == 'read' then
        rows[#rows + 1] = row
      else
        forget(key, fields, gone)
        if redis.call('EXISTS', key) == 0 then redis.call('ZREM', KEYS[1], thread) end
      end
    end
  end
end
return { page[1], { removed, rows } }
`),
};
