import type { Log } from '../log.ts';
import { withinTime } from '../time-limit.ts';
import type { TokenBuckets } from './token-buckets.ts';

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
