// The lane of the scheduled review: once for all replicas, made up for where it was missed, taken over where it was left.
import { attemptOnce } from '../../slack/scheduled-review/attempt.ts';
import { holdReview, RETRY_MS } from '../../slack/scheduled-review/hold-review.ts';
import { LaneLostError, writeWhileHeld } from '../../slack/scheduled-review/lane-lost.ts';
import type { ScheduledReviewPorts } from './review-attempt.ts';

export type ScheduledReview = {
  /** Holds what is due, and returns when to look again. Never rejects. */
  run(isHeld: () => boolean): Promise<number | undefined>;
  /** Breaks off what runs: another replica, or the next start, takes it up. */
  stop(): void;
};

export function createScheduledReview(ports: ScheduledReviewPorts): ScheduledReview {
  const { now, log, wait } = ports;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  return {
    async run(isHeld) {
      const held = { ...ports, ...writeWhileHeld(ports, isHeld), isStopping };
      try {
        return await attemptOnce((attempt) => holdReview(attempt, held), { isHeld, stopping: stopping.signal, wait });
      } catch (error) {
        if (isStopping()) return now();
        // Whoever has the lane by now goes on.
        if (error instanceof LaneLostError) return undefined;
        log.warn({ err: error }, 'scheduled review put off');
        return now() + RETRY_MS;
      }
    },
    stop: () => stopping.abort(),
  };
}
