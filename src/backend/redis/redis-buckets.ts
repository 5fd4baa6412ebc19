import type { TokenBuckets } from '../../slack/web/buckets.ts';
import { type RedisConnection, redisScript } from '../../storage/redis/redis-client.ts';
import { PREFIX } from '../../storage/redis/redis-keys.ts';

const BUDGET = `${PREFIX}budget:`;

/** Longer than any bucket takes to fill. */
const MAX_FILL_MS = 60_000;

/** The longest block that TokenBuckets allows, in ms. */
const LONGEST_BLOCK_MS = 10 * 60_000;

/** Buckets that all replicas share, by Redis's clock. One round trip per call. Throws StoreUnavailableError. */
export function createRedisBuckets({ send }: Pick<RedisConnection<typeof bucketScripts>, 'send'>): TokenBuckets {
  return {
    take(buckets, reserve) {
      const keys = buckets.map(({ key }) => BUDGET + key);
      const args = buckets.flatMap(({ limit, perMs }) => [limit, perMs]);
      return send((client) => client.takeTokens(keys, [reserve, ...args]));
    },
    async block(key, forMs) {
      const blockMs = Math.min(forMs, LONGEST_BLOCK_MS);
      await send((client) => client.blockBucket([BUDGET + key], [blockMs, blockMs + MAX_FILL_MS]));
    },
  };
}

export const bucketScripts = {
  takeTokens: redisScript<number>(`
-- KEYS: a hash per bucket: full (epoch ms when it has all tokens again), blocked (epoch ms: no call before this).
-- ARGV: the reserve, then the limit and the span in ms of each bucket.
-- Returns 0 if a token of each was taken, else the ms until each has one.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reserve = tonumber(ARGV[1])
local wait = 0
local after = {}
for i, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[2 * i])
  local interval = math.ceil(ARGV[2 * i + 1] / limit)
  local count = redis.call('HMGET', key, 'full', 'blocked')
  -- At most the time to fill an empty bucket: Redis's clock may have been set back.
  local full = math.min(math.max(now, tonumber(count[1] or 0)), now + limit * interval)
  -- After a block the bucket has one token: Slack counted more calls than we did.
  -- A block that ends too late was stored before Redis's clock was set back: ignore it.
  local blocked = tonumber(count[2] or 0)
  if blocked > now + ${LONGEST_BLOCK_MS} then blocked = 0 end
  if blocked > 0 then full = math.max(full, blocked + (limit - 1) * interval) end
  -- How far from full the bucket may be. A full bucket always gives a token, however small it is.
  local room = (limit - math.min(limit, 1 + reserve * limit)) * interval
  wait = math.max(wait, full - room - now)
  after[i] = full + interval
end
if wait > 0 then return math.ceil(wait) end
for i, key in ipairs(KEYS) do
  redis.call('HSET', key, 'full', after[i])
  redis.call('PEXPIRE', key, after[i] - now)
end
return 0
`),
  blockBucket: redisScript<null>(`
-- KEYS: the hash of a bucket. ARGV: for how many ms nobody gets a token, and the hash's time to live in ms.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local blocked = now + ARGV[1]
local before = tonumber(redis.call('HGET', KEYS[1], 'blocked') or 0)
if blocked > before or before > now + ${LONGEST_BLOCK_MS} then
  redis.call('HSET', KEYS[1], 'blocked', blocked)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
`),
};
