import type { TokenBuckets } from '../../slack/web/buckets.ts';
import { type RedisConnection, redisScript } from '../../storage/redis/redis-client.ts';
import { PREFIX } from '../../storage/redis/redis-keys.ts';

const BUDGET = `${PREFIX}budget:`;

/** Longer than any bucket takes to fill. */
const MAX_FILL_MS = 60_000;

/** As the port says, in ms. */
const LONGEST_BLOCK_MS = 10 * 60_000;

/** Buckets shared by all replicas, by Redis's clock, in one round trip. Throws StoreUnavailableError. */
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
-- KEYS: a hash per bucket: full (epoch ms when it has all its tokens again), blocked (epoch ms until Slack wants no call).
-- ARGV: the reserve, then of each bucket its limit and its span in ms.
-- Returns 0 where a token of each was taken, else the ms until there is one in each.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reserve = tonumber(ARGV[1])
local wait = 0
local after = {}
for i, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[2 * i])
  local interval = math.ceil(ARGV[2 * i + 1] / limit)
  local count = redis.call('HMGET', key, 'full', 'blocked')
  -- Never later than from empty: Redis's clock may have been set back.
  local full = math.min(math.max(now, tonumber(count[1] or 0)), now + limit * interval)
  -- After a block the bucket has one token: Slack counted more calls than we did.
  -- One that ends later than any may was made before Redis's clock was set back, and says nothing any more.
  local blocked = tonumber(count[2] or 0)
  if blocked > now + ${LONGEST_BLOCK_MS} then blocked = 0 end
  if blocked > 0 then full = math.max(full, blocked + (limit - 1) * interval) end
  -- How far from full it may be. A full one always gives, however small it is.
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
