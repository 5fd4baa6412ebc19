// Work that one replica at a time does in a lane, again and again, for as long as it holds the lane.
import { setTimeout as sleep } from 'node:timers/promises';
import { PermanentError } from '../../errors.ts';
import type { Log } from '../../log.ts';

export type LaneJob = {
  /** Does what is due, and returns when to look again (epoch ms; undefined: never). Never rejects. */
  run(isHeld: () => boolean): Promise<number | undefined>;
  /** Aborts what runs: another replica, or the next start, goes on with it. */
  stop(): void;
};

export type Attempt = {
  /** Aborted when the process stops, and when the attempt takes too long. */
  signal: AbortSignal;
  isStopping(): boolean;
  /** Rejects once the signal is aborted. */
  wait(ms: number): Promise<void>;
  /** Whether this replica still has the lane: once it does not, another one may be at work on the same run. */
  isHeld(): boolean;
};

/** Waits so many ms; rejects once the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** `retryMs`: the pause before the next attempt after a failure; `failed`: how the log names it. */
type LaneOptions = { retryMs: number; failed: string; now(): number; log: Log; wait?: Wait | undefined };

/** Thousands of environments take a few minutes; a service that never answers would take hours. */
const MAX_ATTEMPT_MS = 60 * 60_000;

export function createLaneJob(
  work: (attempt: Attempt) => Promise<number | undefined>,
  { retryMs, failed, now, log, wait = pause }: LaneOptions,
): LaneJob {
  let isStopping = false;
  let current: AbortController | undefined;
  return {
    async run(isHeld) {
      // Not AbortSignal.timeout(): it could be garbage collected before it fires.
      const controller = new AbortController();
      const { signal } = controller;
      current = controller;
      if (isStopping) controller.abort();
      const timer = setTimeout(() => controller.abort(), MAX_ATTEMPT_MS).unref();
      try {
        return await work({ signal, isStopping: () => isStopping, wait: (ms) => wait(ms, signal), isHeld });
      } catch (error) {
        if (isStopping) return now();
        // The replica that has the lane now continues.
        if (error instanceof LaneLostError) return undefined;
        log.warn({ err: error }, failed);
        return now() + retryMs;
      } finally {
        clearTimeout(timer);
      }
    },
    stop() {
      isStopping = true;
      current?.abort();
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}

/** Another replica has the lane, and goes on with the run. */
export class LaneLostError extends PermanentError {
  constructor() {
    super('lane_lost', 'the lane of the scheduled review is not ours any more');
  }
}
