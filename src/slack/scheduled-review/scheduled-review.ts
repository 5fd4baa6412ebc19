// The lane of the scheduled review: once for all replicas, made up for where it was missed, taken over where it was left.
import { setTimeout as sleep } from 'node:timers/promises';
import { FIND_AFTER_MS } from '../../conversation/resume-turn.ts';
import { TransientError } from '../../errors.ts';
import { UnknownWorkspaceError } from '../installation.ts';
import { lookAtAll, ReviewUnreadError } from './look-at-all.ts';
import { LaneLostError } from './post-once.ts';
import type { Attempt, ScheduledReviewPorts } from './review-ports.ts';
import { failed, notRead, ReviewNotDoneError, tookTooLong } from './review-problem.ts';
import { createReviewRecords, type Outbox } from './review-records.ts';
import { tellAll } from './tell-all.ts';
import { tellProblem } from './tell-problem.ts';

export type ScheduledReview = {
  /** Holds what is due, and returns when to look again. Never rejects. */
  run(isHeld: () => boolean): Promise<number | undefined>;
  /** Breaks off what runs: another replica, or the next start, takes it up. */
  stop(): void;
};

/** A service or a Slack that is away gets so much time to come back, before people hear that there is no review. */
const PATIENCE_MS = 30 * 60_000;
const RETRY_MS = 2 * 60_000;

/** Of one attempt. Thousands of environments take a few minutes, a service that never answers would take hours. */
const MAX_ATTEMPT_MS = 60 * 60_000;

export function createScheduledReview(ports: ScheduledReviewPorts): ScheduledReview {
  const { schedule, once, now, log } = ports;
  const records = createReviewRecords(once, now);
  const stopping = new AbortController();
  let trying = { due: 0, since: 0 };

  async function runOnce(attempt: Attempt): Promise<number | undefined> {
    const left = await records.outbox();
    // A message that was just made may not be found yet.
    if (left) await attempt.wait(FIND_AFTER_MS);
    if (left) await finish(left, attempt);
    const settledAt = await records.settledAt();
    if (settledAt === undefined) await records.settle(now());
    const due = settledAt === undefined ? undefined : schedule.findDue(settledAt, now());
    if (due !== undefined) await hold(due, attempt);
    return schedule.findNext(now());
  }

  /** Rejects only where it is to be tried again. */
  async function hold(due: number, attempt: Attempt): Promise<void> {
    if (trying.due !== due) trying = { due, since: now() };
    const begunAt = performance.now();
    try {
      const outbox = await lookAtAll(due, attempt, ports);
      const ms = Math.round(performance.now() - begunAt);
      // From here on nothing is looked up again: what was found is what is said.
      await records.keep({ ...outbox, counts: { ...outbox.counts, ms } });
    } catch (error) {
      await giveUp(error, attempt);
    }
    await records.settle(due);
    const outbox = await records.outbox();
    if (outbox) await finish(outbox, attempt);
  }

  /** Rejects where it is to be tried again, or is not ours to tell. */
  async function giveUp(error: unknown, { signal, isHeld }: Attempt): Promise<void> {
    if (stopping.signal.aborted || error instanceof LaneLostError) throw error;
    if (!isHeld()) throw new LaneLostError();
    if (error instanceof UnknownWorkspaceError) return log.warn({ code: error.code }, 'no scheduled review');
    if (error instanceof TransientError && now() - trying.since < PATIENCE_MS) throw error;
    await tellProblem(toProblem(error, signal), { nextAt: schedule.findNext(now()) }, ports);
  }

  function toProblem(error: unknown, signal: AbortSignal): ReviewNotDoneError {
    if (error instanceof ReviewNotDoneError) return error;
    if (signal.aborted) return tookTooLong();
    return error instanceof ReviewUnreadError ? notRead(error.reason, ports.reviewer.id) : failed(error);
  }

  async function finish(outbox: Outbox, attempt: Attempt): Promise<void> {
    const { due, counts } = outbox;
    try {
      const told = await tellAll(outbox, attempt, ports);
      log.info({ due: new Date(due).toISOString(), ...counts, ...told }, 'scheduled review done');
    } catch (error) {
      if (attempt.signal.aborted || error instanceof LaneLostError || error instanceof TransientError) throw error;
      await records.drop();
      await giveUp(error, attempt);
    }
  }

  return {
    async run(isHeld) {
      const attempt = toAttempt(isHeld, stopping.signal, ports.wait);
      try {
        return await runOnce(attempt);
      } catch (error) {
        if (stopping.signal.aborted) return now();
        // Whoever has the lane by now goes on.
        if (error instanceof LaneLostError) return undefined;
        log.warn({ err: error }, 'scheduled review put off');
        return now() + RETRY_MS;
      }
    },
    stop: () => stopping.abort(),
  };
}

function toAttempt(isHeld: () => boolean, stopping: AbortSignal, wait = pause): Attempt {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(MAX_ATTEMPT_MS)]);
  return { isHeld, signal, wait: (ms) => wait(ms, signal) };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}
