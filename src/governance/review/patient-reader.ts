// Reads of a long sweep: one that fails is a finding, one that comes too early waits, and none ends the sweep.
import {
  AdminFailedError,
  AdminThrottledError,
  AdminUnreachableError,
  isAdminRefusal,
} from '../../admin-api/admin-errors.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { UnreadableReason } from './finding.ts';
import type { Unreadable } from './readings.ts';

export type PatientReaderOptions = {
  /** Waits so many ms; however it ends before, the signal is asked what to do then. */
  wait: (ms: number, signal: AbortSignal, cause: WaitCause) => Promise<void>;
  signal: AbortSignal;
  /** Told of errors that are not the administrative interface's: bugs, or a store that failed. */
  onUnexpected: (error: unknown) => void;
};

/** `busy`: the service asks to wait; `no_answer`: it does not answer; `some_failed`: before those are read once more. */
export type WaitCause = 'busy' | 'no_answer' | 'some_failed';

/**
 * Rejects only where the signal says stop, with its reason. `isVital`: everything rests on it, so that any failure which
 * may pass is waited for. Otherwise only what is said of the whole service is: one environment must not hold up the rest.
 */
export type PatientRead = <T extends object | string>(
  attempt: () => Promise<T>,
  options?: { isVital?: boolean },
) => Promise<T | Unreadable>;

const MAX_ATTEMPTS = 4;

/** Of one wait, whatever the service asks for; and of all of them together: nobody waits longer for a review. */
const MAX_WAIT_MS = 60_000;
const MAX_TOTAL_WAIT_MS = 10 * 60_000;

const FIRST_WAIT_MS = 2_000;

/** Whatever the service asks for: all of us at once after no wait at all is what it asked us not to do. */
const MIN_WAIT_MS = 1_000;

export function createPatientReader({ wait, signal, onUnexpected }: PatientReaderOptions): PatientRead {
  let waitedMs = 0;
  let pause: Promise<void> | undefined;
  /** Set where it makes no sense to ask for anything more. */
  let ended: UnreadableReason | undefined;

  // One wait for all who read: the service counts them together.
  async function pauseAll(ms: number, error: unknown): Promise<void> {
    if (pause === undefined) {
      waitedMs += ms;
      const resume = () => {
        pause = undefined;
      };
      // Where the wait was broken off, the signal says so to whoever goes on.
      const cause = error instanceof AdminThrottledError ? 'busy' : 'no_answer';
      pause = wait(ms, signal, cause).then(resume, resume);
    }
    await pause;
  }

  /** How long to wait before the next attempt; undefined where there is to be none. */
  function decide(failure: Failure, attempts: number, isVital = false): number | undefined {
    const isWorthWaiting = attempts < MAX_ATTEMPTS && (isVital || isNamed(failure.error));
    const waitMs = isWorthWaiting ? readWait(failure.error, attempts) : undefined;
    const isSpent = waitMs !== undefined && waitedMs + waitMs > MAX_TOTAL_WAIT_MS;
    // Some that never answer are a reason to stop waiting for them, and none to leave the rest unread.
    const isHopeless = isSpent && isNamed(failure.error);
    if (isAdminRefusal(failure.error, 'admin_unauthorized') || isHopeless) ended = failure.code;
    return isSpent ? undefined : waitMs;
  }

  return async function read<T extends object | string>(
    attempt: () => Promise<T>,
    options: { isVital?: boolean } = {},
  ): Promise<T | Unreadable> {
    for (let attempts = 1; ; attempts += 1) {
      await pause;
      signal.throwIfAborted();
      if (ended !== undefined) return { unreadable: ended };
      const outcome = await attempt().then(toValue, toFailure);
      if ('value' in outcome) return outcome.value;
      signal.throwIfAborted();
      if (outcome.code === 'unexpected') onUnexpected(outcome.error);
      const waitMs = decide(outcome, attempts, options.isVital);
      if (waitMs === undefined) return { unreadable: outcome.code };
      await pauseAll(waitMs, outcome.error);
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
  const isPassing =
    error instanceof AdminThrottledError || error instanceof AdminUnreachableError || error instanceof AdminFailedError;
  if (!isPassing) return undefined;
  const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempts - 1);
  return Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, waitMs));
}

/** The service, or what watches over it, says itself that it takes nothing more for now. */
function isNamed(error: unknown): boolean {
  const isUnreachable = error instanceof AdminUnreachableError && error.retryAfterMs !== undefined;
  return isUnreachable || error instanceof AdminThrottledError;
}
