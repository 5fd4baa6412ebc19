import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

/** Resolves with whether it came to pass in time. */
export async function lookUntil(
  hasCome: () => boolean,
  timeoutMs: number,
  everyMs: number = LOOK_EVERY_MS,
): Promise<boolean> {
  const givenUpAt = performance.now() + timeoutMs;
  while (!hasCome()) {
    if (performance.now() > givenUpAt) return false;
    await sleep(everyMs);
  }
  return true;
}
