import { LRUCache } from 'lru-cache';
import type { Bucket } from './buckets.ts';

export type WaitingLine = {
  /** When to come back (ms from now), given how long there is no token for anybody (ms). */
  join(buckets: readonly Bucket[], waitMs: number): number;
};

/** Longer waits are cut: those who leave the line are not noticed, so its length is only a guess. */
const MAX_WAIT_MS = 60_000;

/** Other replicas have lines of their own, and would come back at the same moments. */
const JITTER = 0.2;

const MAX_LINES = 10_000;

/**
 * Sends those for whom there was no token away one behind the other, as fast as tokens come. Were all told the same
 * moment, all but one would come in vain, each of them with a whole run of its turn.
 */
export function createWaitingLine(now: () => number): WaitingLine {
  /** When the last of each line comes back. */
  const ends = new LRUCache<string, number>({ max: MAX_LINES });
  return {
    join(buckets, waitMs) {
      const at = now();
      let backAt = at + waitMs;
      for (const { key, limit, perMs } of buckets) {
        const next = Math.max(at + waitMs, (ends.get(key) ?? Number.NEGATIVE_INFINITY) + perMs / limit);
        ends.set(key, Math.min(next, at + MAX_WAIT_MS));
        backAt = Math.max(backAt, next);
      }
      const toldMs = Math.min(backAt - at, MAX_WAIT_MS);
      return Math.ceil(toldMs * (1 + JITTER * Math.random()));
    },
  };
}
