import { LRUCache } from 'lru-cache';
import { createFaultLog } from '../../fault-log.ts';
import type { Log } from '../../log.ts';
import { withinTime } from '../../time-limit.ts';
import type { Rate } from './limits.ts';

/** Calls with the same key share a limit: `limit` calls per `perMs`, all at once if need be. */
export type Bucket = Rate & { key: string };

/** Port: limits how often Slack is called, over all replicas. */
export type TokenBuckets = {
  /**
   * Takes one token of each bucket, all or none. Returns 0 if it did, else how long to wait (ms) until each has one.
   * `reserve` (0 to 1): the share of each bucket that this caller leaves for more important calls.
   */
  take(buckets: readonly Bucket[], reserve: number): Promise<number>;
  /** After a 429: nobody gets a token of this bucket for `forMs`, at most ten minutes. Never shortens a block. */
  block(key: string, forMs: number): Promise<void>;
};

/** The longest time that a call waits until it is counted. */
const TIMEOUT_MS = 250;

const LOG_EVERY_MS = 60_000;

/** Buckets that never fail: a call that cannot be counted in time is not counted. */
export function createBestEffortBuckets(buckets: TokenBuckets, log: Log): TokenBuckets {
  const say = createFaultLog(log, 'slack calls not counted', { everyMs: LOG_EVERY_MS });

  async function attempt<T>(counting: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await withinTime(TIMEOUT_MS, counting());
    } catch (error) {
      say('store', { err: error });
      return otherwise;
    }
  }

  return {
    take: (wanted, reserve) => attempt(() => buckets.take(wanted, reserve), 0),
    block: (key, forMs) => attempt(() => buckets.block(key, forMs), undefined),
  };
}

/** Both in ms of the clock. `fullAt`: when the bucket is full again; each token taken moves it on by one interval. */
type Count = { fullAt: number; blockedUntil: number };

/** The least recently used bucket is dropped; by then it is full again, or nearly. */
const MAX_BUCKETS = 50_000;

/** See TokenBuckets. */
const LONGEST_BLOCK_MS = 10 * 60_000;

/**
 * Buckets of one process. `now` in ms, from a monotonic clock (`performance.now`): setting a wall clock back by an hour
 * would block all calls for an hour.
 */
export function createMemoryBuckets(now: () => number): TokenBuckets {
  // Not `max`, which makes room for all of them at the start.
  const counts = new LRUCache<string, Count>({ maxSize: MAX_BUCKETS, sizeCalculation: () => 1 });
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

/** After a block the bucket has only one token, because Slack counted more calls than we did. */
function toFullAt(bucket: Bucket, count: Count | undefined, at: number): number {
  if (!count) return at;
  const { limit } = bucket;
  return Math.max(at, count.fullAt, count.blockedUntil ? count.blockedUntil + (limit - 1) * toInterval(bucket) : 0);
}

/** How far from full (ms) the bucket may be to give a token. A full bucket always gives one, however small it is. */
function toRoom(bucket: Bucket, reserve: number): number {
  return (bucket.limit - Math.min(bucket.limit, 1 + reserve * bucket.limit)) * toInterval(bucket);
}

/** An integer, so that sums are exact. */
function toInterval({ limit, perMs }: Bucket): number {
  return Math.ceil(perMs / limit);
}
