import type { Turn } from './turn.ts';

/**
 * A stored time means another wait once the clock is set. So no wait is stored further ahead than this, and a longer one
 * goes on in steps: whatever is further ahead was stored before the clock was set back, and is due.
 */
export const LONGEST_STEP_MS = 60_000;

/** What a turn stores that waits so long (ms) from now (epoch ms). */
export function toWait(ms: number, now: number): Pick<Turn, 'notBefore' | 'leftMs'> {
  const stepMs = Math.min(ms, LONGEST_STEP_MS);
  return { notBefore: now + stepMs, leftMs: ms - stepMs || undefined };
}

/** Until when a turn waits (epoch ms). Undefined: it is due. TurnStore.takeHead decides in the same way. */
export function waitsUntil({ notBefore = 0 }: Pick<Turn, 'notBefore'>, now: number): number | undefined {
  return notBefore > now && notBefore <= now + LONGEST_STEP_MS ? notBefore : undefined;
}
