import type { Log } from '../../log.ts';
import { withinTime } from '../../time-limit.ts';
import type { Rate } from './limits.ts';

/** Where a call counts: `limit` calls in `perMs`, which may be made all at once. */
export type Bucket = Rate & { key: string };

/** Port: how often Slack may be called, counted over all replicas. */
export type TokenBuckets = {
  /**
   * Takes one token of each bucket, all or none. Returns 0 where it did, else how long to wait (ms) before there is one
   * in each. `reserve` (0 to 1): the share of each bucket that this caller leaves to more important calls.
   */
  take(buckets: readonly Bucket[], reserve: number): Promise<number>;
  /**
   * Slack said 429: nobody gets a token of this bucket for so long (ms), ten minutes at the most. The longest of several
   * counts.
   */
  block(key: string, forMs: number): Promise<void>;
};

/** A count is worth waiting for this long; an answer is worth more than a count. */
const TIMEOUT_MS = 250;

const LOG_EVERY_MS = 60_000;

/** The same buckets, which neither fail nor keep anybody waiting: what is not counted in time is not counted. */
export function createBestEffortBuckets(buckets: TokenBuckets, now: () => number, log: Log): TokenBuckets {
  let loggedAt = Number.NEGATIVE_INFINITY;

  async function attempt<T>(counting: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await withinTime(TIMEOUT_MS, counting());
    } catch (error) {
      if (Math.abs(now() - loggedAt) >= LOG_EVERY_MS) {
        loggedAt = now();
        log.warn({ err: error }, 'calls of slack are not counted');
      }
      return otherwise;
    }
  }

  return {
    take: (wanted, reserve) => attempt(() => buckets.take(wanted, reserve), 0),
    block: (key, forMs) => attempt(() => buckets.block(key, forMs), undefined),
  };
}
