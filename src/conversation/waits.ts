import type { Turn } from './turn.ts';

/** The limit for all waits of a turn for the service together, and for each other wait. */
export const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * If the clock is set, a stored time means a different wait. So no stored time is further ahead than this, and longer
 * waits have steps. A time further ahead than this was stored before the clock was set back, so it is due.
 */
export const LONGEST_STEP_MS = 60_000;

/** The fields to store for a wait of this length (ms) from now (epoch ms). */
export function toWait(ms: number, now: number): Pick<Turn, 'notBefore' | 'leftMs'> {
  const waitMs = Math.min(ms, LONGEST_WAIT_MS);
  const stepMs = Math.min(waitMs, LONGEST_STEP_MS);
  return { notBefore: now + stepMs, leftMs: waitMs - stepMs || undefined };
}

/** Until when a turn waits (epoch ms). Undefined: it is due. TurnStore.takeHead decides in the same way. */
export function waitsUntil({ notBefore = 0 }: Pick<Turn, 'notBefore'>, now: number): number | undefined {
  return notBefore > now && notBefore <= now + LONGEST_STEP_MS ? notBefore : undefined;
}
