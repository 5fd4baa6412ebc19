import { LRUCache } from 'lru-cache';
import type { Bucket, TokenBuckets } from './buckets.ts';

/** Both in ms of the clock. `fullAt`: when the bucket has all its tokens again; a token later for each one taken. */
type Count = { fullAt: number; blockedUntil: number };

/** A bucket that nobody asked about for so long that this many others were is full again, or nearly. */
const MAX_BUCKETS = 50_000;

/** As the port says, in ms. */
const LONGEST_BLOCK_MS = 10 * 60_000;

/**
 * Buckets of one process. `now` in ms, best from a clock that is never set (`performance.now`): back by an hour would
 * mean no calls for an hour.
 */
export function createMemoryBuckets(now: () => number): TokenBuckets {
  const counts = new LRUCache<string, Count>({ max: MAX_BUCKETS });
  return {
    async take(buckets, reserve) {
      const at = Math.floor(now());
      let waitMs = 0;
      for (const bucket of buckets) {
        const freeAt = toFullAt(bucket, counts.get(bucket.key), at) - toRoom(bucket, reserve);
        waitMs = Math.max(waitMs, freeAt - at);
      }
      if (waitMs > 0) return Math.ceil(waitMs);
      for (const bucket of buckets) {
        const fullAt = toFullAt(bucket, counts.get(bucket.key), at) + toInterval(bucket);
        counts.set(bucket.key, { fullAt, blockedUntil: 0 });
      }
      return 0;
    },
    async block(key, forMs) {
      const { fullAt = 0, blockedUntil = 0 } = counts.get(key) ?? {};
      const until = Math.floor(now()) + Math.min(forMs, LONGEST_BLOCK_MS);
      counts.set(key, { fullAt, blockedUntil: Math.max(blockedUntil, until) });
    },
  };
}

/** After a block the bucket has one token: Slack counted more calls than we did. */
function toFullAt(bucket: Bucket, count: Count | undefined, at: number): number {
  if (!count) return at;
  const { limit } = bucket;
  return Math.max(at, count.fullAt, count.blockedUntil ? count.blockedUntil + (limit - 1) * toInterval(bucket) : 0);
}

/** How far from full (ms) the bucket may be. A full one always gives, however small it is. */
function toRoom(bucket: Bucket, reserve: number): number {
  return (bucket.limit - Math.min(bucket.limit, 1 + reserve * bucket.limit)) * toInterval(bucket);
}

/** Whole, so that sums are exact. */
function toInterval({ limit, perMs }: Bucket): number {
  return Math.ceil(perMs / limit);
}
