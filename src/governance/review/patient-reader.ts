// Reads of a long sweep: one that fails is a finding, one that comes too early waits, and none ends the sweep.
import {
  AdminFailedError,
  AdminThrottledError,
  AdminUnreachableError,
  isAdminRefusal,
} from '../../admin-api/admin-errors.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import type { Unreadable, UnreadableReason } from './finding.ts';

/** `busy`: the service asks to wait; `no_answer`: it does not answer; `some_failed`: before those are read once more. */
export type WaitCause = 'busy' | 'no_answer' | 'some_failed';

export type PatientReaderOptions = {
  /** Waits so many ms; however it ends before, the signal is asked what to do then. */
  wait: (ms: number, signal: AbortSignal, cause: WaitCause) => Promise<void>;
  signal: AbortSignal;
  /** Told of errors that are not the administrative interface's: bugs, or a store that failed. */
  onUnexpected: (error: unknown) => void;
};

/**
 * Rejects only where the signal says stop, with its reason. `isVital`: everything rests on it, so that any failure which
 * may pass is waited for. Otherwise only what asks for a wait is, and one environment that does must not hold up the rest.
 * `isLocal`: its success says nothing about the service.
 */
export type PatientRead = <T extends object | string>(
  attempt: () => Promise<T>,
  options?: { isVital?: boolean; isLocal?: boolean },
) => Promise<T | Unreadable>;

const MAX_ATTEMPTS = 4;

/** Of one wait, whatever the service asks for; and of all of them together: nobody waits longer for a review. */
const MAX_WAIT_MS = 60_000;
const MAX_TOTAL_WAIT_MS = 10 * 60_000;

const FIRST_WAIT_MS = 2_000;

/** Even where the service asks for less. */
const MIN_WAIT_MS = 1_000;

export function createPatientReader(options: PatientReaderOptions): PatientRead {
  const { signal, onUnexpected } = options;
  let waitedMs = 0;
  let pause: Promise<void> | undefined;
  /** The reads that were told to wait since the last one that succeeded: two of them are about the whole service. */
  const told = new Set<object>();
  /** Once set, nothing more is read. */
  let ended: UnreadableReason | undefined;

  /** One that is told to wait does so alone, and the rest goes on: it may be about one environment. */
  const isForAll = () => told.size > 1;

  // One wait for all who are told to wait: the service counts them together.
  async function wait(ms: number, error: unknown): Promise<void> {
    if (pause === undefined) {
      waitedMs += ms;
      const resume = () => {
        pause = undefined;
      };
      // An aborted wait ends like any other: readers then check the signal.
      const cause = error instanceof AdminThrottledError ? 'busy' : 'no_answer';
      pause = options.wait(ms, signal, cause).then(resume, resume);
    }
    await pause;
  }

  async function getReady(): Promise<void> {
    if (isForAll()) await pause;
    signal.throwIfAborted();
  }

  /** How long to wait before the next attempt; undefined where there is to be none. */
  function decide(failure: Failure, attempts: number, isVital: boolean): number | undefined {
    signal.throwIfAborted();
    if (failure.code === 'unexpected') onUnexpected(failure.error);
    const isWorthWaiting = attempts < MAX_ATTEMPTS && (isVital || isNamed(failure.error));
    const waitMs = isWorthWaiting ? readWait(failure.error, attempts) : undefined;
    const isSpent = waitMs !== undefined && waitedMs + waitMs > MAX_TOTAL_WAIT_MS;
    // Some that never answer are a reason to stop waiting for them, and none to leave the rest unread.
    const isHopeless = isSpent && isForAll() && isNamed(failure.error);
    if (isAdminRefusal(failure.error, 'admin_unauthorized') || isHopeless) ended = failure.code;
    return isSpent ? undefined : waitMs;
  }

  function note(reader: object, outcome: { value: unknown } | Failure): void {
    if ('value' in outcome) told.clear();
    else if (isNamed(outcome.error)) told.add(reader);
  }

  return async function read<T extends object | string>(
    attempt: () => Promise<T>,
    { isVital = false, isLocal = false }: { isVital?: boolean; isLocal?: boolean } = {},
  ): Promise<T | Unreadable> {
    const reader = {};
    for (let attempts = 1; ; attempts += 1) {
      await getReady();
      if (ended !== undefined) return { unreadable: ended };
      const outcome = await attempt().then(toValue, toFailure);
      if (!isLocal) note(reader, outcome);
      if ('value' in outcome) return outcome.value;
      const waitMs = decide(outcome, attempts, isVital);
      if (waitMs === undefined) return { unreadable: outcome.code };
      await wait(waitMs, outcome.error);
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

/** The service, or a proxy in front of it, asks to wait. */
function isNamed(error: unknown): boolean {
  const hasFailed = error instanceof AdminUnreachableError || error instanceof AdminFailedError;
  return error instanceof AdminThrottledError || (hasFailed && error.retryAfterMs !== undefined);
}
