import type { Turn } from './turn.ts';

/**
 * The most that a turn waits for the service in total, and the most for any other single wait. A stored time that is
 * further ahead was stored before the clock was set back, so it is due.
 */
export const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * The clock for waits, in epoch ms. It runs evenly even if the wall clock is set by some minutes, so waits keep their
 * length. If the wall clock is set by more than the longest wait, this clock follows it.
 * `wall`: epoch ms. `elapsed`: monotonic ms.
 */
export function createWaitClock(wall = Date.now, elapsed = () => performance.now()): () => number {
  let aheadMs = wall() - elapsed();
  return () => {
    const [at, passedMs] = [wall(), elapsed()];
    if (Math.abs(aheadMs + passedMs - at) > LONGEST_WAIT_MS) aheadMs = at - passedMs;
    return Math.floor(aheadMs + passedMs);
  };
}

/** The end (epoch ms) of a wait of `ms` that begins at `now`. */
export function toWait(ms: number, now: number): number {
  return now + Math.min(ms, LONGEST_WAIT_MS);
}

/** Until when a turn waits (epoch ms). Undefined: it is due. TurnStore.takeHead decides in the same way. */
export function waitsUntil({ notBefore = 0 }: Pick<Turn, 'notBefore'>, now: number): number | undefined {
  return notBefore > now && notBefore <= now + LONGEST_WAIT_MS ? notBefore : undefined;
}
