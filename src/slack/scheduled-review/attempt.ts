import { setTimeout as sleep } from 'node:timers/promises';

/** One attempt at a run. */
export type Attempt = {
  /** Says stop where the process stops, and where it takes too long. */
  signal: AbortSignal;
  /** Rejects where the signal says stop. */
  wait(ms: number): Promise<void>;
  /** Whether the lane is still this replica's: once it is not, another one may be at the same. */
  isHeld(): boolean;
};

/** Waits so many ms; rejects where the signal says stop. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Thousands of environments take a few minutes, a service that never answers would take hours. */
const MAX_ATTEMPT_MS = 60 * 60_000;

/** `stopping`: where the process stops. */
export async function attemptOnce<T>(
  run: (attempt: Attempt) => Promise<T>,
  { isHeld, stopping, wait = pause }: { isHeld: () => boolean; stopping: AbortSignal; wait?: Wait | undefined },
): Promise<T> {
  // Not AbortSignal.any() of a timeout: nothing but that signal holds the timeout, and what nobody holds is collected.
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
