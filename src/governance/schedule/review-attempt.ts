// One attempt at a run of a lane, for as long as the lane is held.
import { setTimeout as sleep } from 'node:timers/promises';
import { PermanentError } from '../../errors.ts';
import type { ClaimStore } from '../../identity/account-link.ts';

export type Attempt = {
  /** Aborted when the process stops, and when the attempt takes too long. */
  signal: AbortSignal;
  /** Rejects once the signal is aborted. */
  wait(ms: number): Promise<void>;
  /** Whether this replica still has the lane: once it does not, another one may be at work on the same run. */
  isHeld(): boolean;
};

/** Waits so many ms; rejects once the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Thousands of environments take a few minutes; a service that never answers would take hours. */
const MAX_ATTEMPT_MS = 60 * 60_000;

/** `stopping`: aborted when the process stops. */
export async function attemptOnce<T>(
  run: (attempt: Attempt) => Promise<T>,
  { isHeld, stopping, wait = pause }: { isHeld: () => boolean; stopping: AbortSignal; wait?: Wait | undefined },
): Promise<T> {
  // Not AbortSignal.any() with AbortSignal.timeout(): the timeout could be garbage collected before it fires.
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, MAX_ATTEMPT_MS).unref();
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  const { signal } = controller;
  try {
    return await run({ isHeld, signal, wait: (ms) => wait(ms, signal) });
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
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

/**
 * The same store, without writes once the lane is lost: a replica that was frozen would overwrite newer records. Every write
 * may throw LaneLostError.
 */
export function writeWhileHeld(once: ClaimStore, isHeld: () => boolean): ClaimStore {
  const whileHeld =
    <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (!isHeld()) throw new LaneLostError();
      return write(...args);
    };
  return {
    peek: once.peek,
    put: whileHeld(once.put),
    take: whileHeld(once.take),
    claim: whileHeld(once.claim),
    replace: whileHeld(once.replace),
  };
}
