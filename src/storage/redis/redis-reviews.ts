import type { ReviewSnapshot } from '../../governance/review/review-snapshot.ts';
import type { ReviewStore } from '../../governance/review/review-store.ts';
import { NEWEST_SCHEMA, readRecord } from '../record.ts';
import type { RedisConnection } from './redis-client.ts';
import { NOTICE, REVIEW } from './redis-keys.ts';
import { redisScript } from './redis-script.ts';

export function createRedisReviews({ send }: RedisConnection<typeof reviewScripts>, now: () => number): ReviewStore {
  return {
    async lastSnapshot() {
      const body = await send((client) => client.hGet(REVIEW, 'body'));
      return body === null ? undefined : readRecord<ReviewSnapshot>(body, NEWEST_SCHEMA.review);
    },
    async saveSnapshot(snapshot, replaces) {
      const args = [snapshot.at, replaces ?? '', JSON.stringify(snapshot)];
      return (await send((client) => client.saveSnapshot([REVIEW], args))) === 1;
    },
    async claimNotice(key, expiresAt, holder) {
      const args = [holder, Math.max(1, Math.ceil(expiresAt - now()))];
      return (await send((client) => client.claimNotice([NOTICE + key], args))) === 1;
    },
    async releaseNotice(key) {
      await send((client) => client.del(NOTICE + key));
    },
  };
}

export const reviewScripts = {
  saveSnapshot: redisScript<number>(`
-- KEYS: 1 the last review. ARGV: 1 when it began, 2 when the one began whose place it takes, or nothing, 3 record.
-- Returns 1, or 0 where another one is stored.
local stored = redis.call('HGET', KEYS[1], 'at') or ''
if stored ~= ARGV[1] and stored ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'at', ARGV[1], 'body', ARGV[3])
return 1
`),
  claimNotice: redisScript<number>(`
-- KEYS: 1 the notice. ARGV: 1 holder, 2 how long from now (ms). Returns 1, or 0 where another one holds it.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`),
};
