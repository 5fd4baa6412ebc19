// Reads of a long sweep: one that fails is a finding, one that comes too early waits, and none ends the sweep.
import { AdminThrottledError, AdminUnauthorizedError, AdminUnreachableError } from '../../admin/admin-errors.ts';
import { toAdminFailure } from '../admin-failure.ts';
import type { UnreadableReason } from './finding.ts';
import type { Unreadable } from './readings.ts';

export type PatientReaderOptions = {
  /** Waits so many ms; however it ends before, the signal is asked what to do then. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
  /** Told of errors that are not the administrative interface's: bugs, or a store that failed. */
  onUnexpected: (error: unknown) => void;
};

/** Rejects only where the signal says stop, with its reason. */
export type PatientRead = <T extends object | string>(attempt: () => Promise<T>) => Promise<T | Unreadable>;

const MAX_ATTEMPTS = 4;

/** Of one wait, whatever the service asks for; and of all of them together: nobody waits longer for a review. */
const MAX_WAIT_MS = 60_000;
const MAX_TOTAL_WAIT_MS = 10 * 60_000;

const FIRST_WAIT_MS = 2_000;

export function createPatientReader({ wait, signal, onUnexpected }: PatientReaderOptions): PatientRead {
  let waitedMs = 0;
  let pause: Promise<void> | undefined;
  /** Set where it makes no sense to ask for anything more. */
  let ended: UnreadableReason | undefined;

  // One wait for all who read: the service counts them together.
  async function pauseAll(ms: number): Promise<void> {
    if (pause === undefined) {
      waitedMs += ms;
      const resume = () => {
        pause = undefined;
      };
      // Where the wait was broken off, the signal says so to whoever goes on.
      pause = wait(ms, signal).then(resume, resume);
    }
    await pause;
  }

  /** How long to wait before the next attempt; undefined where there is to be none. */
  function decide(failure: Failure, attempts: number): number | undefined {
    const waitMs = attempts < MAX_ATTEMPTS ? readWait(failure.error, attempts) : undefined;
    const isSpent = waitMs !== undefined && waitedMs + waitMs > MAX_TOTAL_WAIT_MS;
    if (failure.error instanceof AdminUnauthorizedError || isSpent) ended = failure.code;
    return isSpent ? undefined : waitMs;
  }

  return async function read<T extends object | string>(attempt: () => Promise<T>): Promise<T | Unreadable> {
    for (let attempts = 1; ; attempts += 1) {
      await pause;
      signal.throwIfAborted();
      if (ended !== undefined) return { unreadable: ended };
      const outcome = await attempt().then(toValue, toFailure);
      if ('value' in outcome) return outcome.value;
      signal.throwIfAborted();
      if (outcome.code === 'unexpected') onUnexpected(outcome.error);
      const waitMs = decide(outcome, attempts);
      if (waitMs === undefined) return { unreadable: outcome.code };
      await pauseAll(waitMs);
    }
  };
}

type Failure = { code: UnreadableReason; error: unknown };

function toValue<T>(value: T): { value: T } {
  return { value };
}

function toFailure(error: unknown): Failure {
  return { code: toAdminFailure(error)?.code ?? 'unexpected', error };
}

/** Undefined where waiting would not help. */
function readWait(error: unknown, attempts: number): number | undefined {
  const isBusy = error instanceof AdminThrottledError;
  const isNamed = error instanceof AdminUnreachableError && error.retryAfterMs !== undefined;
  if (!isBusy && !isNamed) return undefined;
  return Math.min(MAX_WAIT_MS, error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempts - 1));
}
