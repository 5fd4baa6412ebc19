import type { ChangeStore, LimitChange } from '../../governance/change-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { RedisConnection } from './redis-connection.ts';
import { CHANGE, CHANGES_OF } from './redis-keys.ts';
import { redisScript } from './redis-script.ts';

/** A hash per change, the outcome beside the record; and per agent a list of its changes, which keeps those for good. */
export function createRedisChanges({ send }: RedisConnection): ChangeStore {
  return {
    async begin(change) {
      const { id, at } = change;
      const keys = [CHANGE + id, toSubject(change.environmentId, change.agentResourceId)];
      const isNew = await send((client) => client.beginChange(keys, [id, at, JSON.stringify(change)]));
      return isNew === 1 ? 'new' : 'duplicate';
    },
    async finish(id, outcome) {
      const { written } = outcome;
      await send((client) => client.finishChange([CHANGE + id], [written, JSON.stringify(outcome)]));
    },
    async lastSet(environmentId, agentResourceId, exceptId = '') {
      const subject = toSubject(environmentId, agentResourceId);
      const found = await send((client) => client.lastSetChange([subject], [exceptId]));
      const [body, outcome] = found ?? [];
      if (!body) return undefined;
      const change = readRecord<LimitChange>(body, NEWEST_SCHEMA.change);
      return outcome ? { ...change, outcome: JSON.parse(outcome) } : change;
    },
  };
}

function toSubject(environmentId: string, agentResourceId: string): string {
  return `${CHANGES_OF}${environmentId}|${agentResourceId}`.toLowerCase();
}

export const changeScripts = {
  /** Where two were made at the same time, the one that was stored later is the latest: hence the number. */
  beginChange: redisScript<number>(`
-- KEYS: 1 the change, 2 its agent's changes. ARGV: 1 id, 2 at, 3 record. Returns 1, or 0 where there is one of this id.
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'body', ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[2], string.format('%012d:', redis.call('ZCARD', KEYS[2])) .. ARGV[1])
return 1
`),
  finishChange: redisScript<number>(`
-- KEYS: 1 the change. ARGV: 1 what may have been written, 2 outcome. Returns 1, or 0 where there is no such change.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'written', ARGV[1], 'outcome', ARGV[2])
return 1
`),
  lastSetChange: redisScript<(string | null)[] | null>(`
-- KEYS: 1 an agent's changes. ARGV: 1 an id to pass over. Returns the record and the outcome of the latest that was or may
-- have been written, or nothing.
for rank = 0, redis.call('ZCARD', KEYS[1]) - 1 do
  local id = string.sub(redis.call('ZRANGE', KEYS[1], rank, rank, 'REV')[1], 14)
  local change = redis.call('HMGET', '${CHANGE}' .. id, 'body', 'outcome', 'written')
  if id ~= ARGV[1] and change[3] ~= 'no' then return { change[1], change[2] } end
end
return false
`),
};
