import type { RuleStore, WorkspaceRules } from '../../conversation/channel-rules.ts';
import {
  type AllocationChange,
  type Change,
  type ChangeStore,
  INTERRUPTED,
  type LimitChange,
} from '../../governance/changes/change.ts';
import type { OverlayRecord, OverlayStore } from '../../governance/register/overlay.ts';
import type { ReviewSnapshot } from '../../governance/review/review-diff.ts';
import { readRecord, toSubject } from '../record.ts';
import type { Snapshots } from '../reviews.ts';
import { type RedisConnection, redisScript } from './redis-client.ts';
import { CHANGE, CHANGES_OF, OVERLAY, OVERLAY_IDS, REVIEW, rulesOf, UNTOLD_CHANGES, WORKSPACES } from './redis-keys.ts';

/** A hash per change, with record and outcome, and a list of changes per subject. Kept for good. */
export function createRedisChanges({ send }: RedisConnection<typeof changeScripts>): ChangeStore {
  async function findLast<T extends Change>(subject: string, exceptId: string): Promise<T | undefined> {
    const found = await send((client) => client.lastSetChange([CHANGES_OF + subject], [exceptId]));
    return readChange<T>(found ?? []);
  }

  const get = async (id: string) => readChange(await send((client) => client.hmGet(CHANGE + id, ['body', 'outcome'])));

  return {
    async begin(change) {
      const { id, at } = change;
      const keys = [CHANGE + id, CHANGES_OF + toSubject(change), UNTOLD_CHANGES];
      const isNew = await send((client) => client.beginChange(keys, [id, at, JSON.stringify(change)]));
      return isNew === 1 ? 'new' : 'duplicate';
    },
    async finish(id, outcome) {
      const { written, reason } = outcome;
      const args = [written, JSON.stringify(outcome), id, reason === INTERRUPTED ? 'untold' : ''];
      await send((client) => client.finishChange([CHANGE + id, UNTOLD_CHANGES], args));
    },
    get,
    lastSet: (environmentId, agentResourceId, exceptId = '', currencyType) =>
      findLast<LimitChange>(toSubject({ kind: 'agent_limit', environmentId, agentResourceId, currencyType }), exceptId),
    lastAllocation: (environmentId) => findLast<AllocationChange>(toSubject({ kind: 'allocation', environmentId }), ''),
    async untold() {
      const ids = await send((client) => client.zRange(UNTOLD_CHANGES, 0, -1));
      const found = await Promise.all(ids.map(get));
      return found.filter((change) => change !== undefined);
    },
    async told(id) {
      await send((client) => client.zRem(UNTOLD_CHANGES, id));
    },
  };
}

export function createRedisOverlay({ send }: RedisConnection<typeof overlayScripts>): OverlayStore {
  return {
    async add(record) {
      const keys = [OVERLAY, OVERLAY_IDS];
      const isNew = await send((client) => client.addToOverlay(keys, [record.id, JSON.stringify(record)]));
      return isNew === 1 ? 'new' : 'duplicate';
    },
    async list() {
      const bodies = await send((client) => client.lRange(OVERLAY, 0, -1));
      return bodies.map((body) => readRecord<OverlayRecord>(body));
    },
  };
}

export function createRedisReviews({ send }: RedisConnection<typeof reviewScripts>): Snapshots {
  return {
    async lastSnapshot() {
      const body = await send((client) => client.hGet(REVIEW, 'body'));
      return body === null ? undefined : readRecord<ReviewSnapshot>(body);
    },
    async saveSnapshot(snapshot, replaces) {
      const args = [snapshot.at, replaces ?? '', JSON.stringify(snapshot)];
      return (await send((client) => client.saveSnapshot([REVIEW], args))) === 1;
    },
  };
}

export function createRedisRules({ send }: RedisConnection<typeof ruleScripts>): RuleStore {
  return {
    async get(workspace) {
      const body = await send((client) => client.get(rulesOf(workspace)));
      return body ? readRecord<WorkspaceRules>(body) : undefined;
    },
    async save(rules, expected) {
      const { workspace } = rules;
      const body = JSON.stringify({ ...rules, version: expected + 1 });
      const keys = [rulesOf(workspace), WORKSPACES];
      return (await send((client) => client.saveRules(keys, [workspace, expected, body]))) === 1;
    },
  };
}

export const changeScripts = {
  /** The number in the member orders changes made at the same time by when they were stored. */
  beginChange: redisScript<number>(`
-- KEYS: 1 the change, 2 the changes of what it is of, 3 the untold ones. ARGV: 1 id, 2 at, 3 record.
-- Returns 1, or 0 where there is one of this id.
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'body', ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[2], string.format('%012d:', redis.call('ZCARD', KEYS[2])) .. ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
return 1
`),
  finishChange: redisScript<number>(`
-- KEYS: 1 the change, 2 the untold ones. ARGV: 1 what may have been written, 2 outcome, 3 id, 4 'untold' where it stays so.
-- Returns 1, or 0 where there is no such change.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'written', ARGV[1], 'outcome', ARGV[2])
if ARGV[4] ~= 'untold' then redis.call('ZREM', KEYS[2], ARGV[3]) end
return 1
`),
  lastSetChange: redisScript<(string | null)[] | null>(`
-- KEYS: 1 the changes of one thing. ARGV: 1 an id to pass over.
-- Returns the record and the outcome of the latest that was or may have been written, or nothing.
for rank = 0, redis.call('ZCARD', KEYS[1]) - 1 do
  local id = string.sub(redis.call('ZRANGE', KEYS[1], rank, rank, 'REV')[1], 14)
  local change = redis.call('HMGET', '${CHANGE}' .. id, 'body', 'outcome', 'written')
  if id ~= ARGV[1] and change[3] ~= 'no' then return { change[1], change[2] } end
end
return false
`),
};

export const overlayScripts = {
  addToOverlay: redisScript<number>(`
-- KEYS: 1 the records, 2 their ids. ARGV: 1 id, 2 record. Returns 1, or 0 where there is one of this id.
if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[2])
return 1
`),
};

export const reviewScripts = {
  saveSnapshot: redisScript<number>(`
-- KEYS: 1 the last review. ARGV: 1 when it began, 2 when the one began whose place it takes, or nothing, 3 record.
-- Returns 1, or 0 where another one is stored.
local stored = redis.call('HGET', KEYS[1], 'at') or ''
if stored ~= ARGV[1] and stored ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'at', ARGV[1], 'body', ARGV[3])
return 1
`),
};

export const ruleScripts = {
  saveRules: redisScript<number>(`
-- KEYS: 1 the rules of a workspace, 2 the workspaces. ARGV: 1 workspace, 2 expected version, 3 record.
-- Returns 1, or 0 where another version is stored.
local stored = redis.call('GET', KEYS[1])
local version = stored and cjson.decode(stored).version or 0
if version ~= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[3])
redis.call('SADD', KEYS[2], ARGV[1])
return 1
`),
};

function readChange<T extends Change>([body, outcome]: (string | null)[]): T | undefined {
  if (!body) return undefined;
  const change = readRecord<Change>(body) as T;
  return outcome ? { ...change, outcome: JSON.parse(outcome) } : change;
}
