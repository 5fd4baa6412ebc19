import type { Turn } from './turn.ts';

/**
 * For all waits of a turn for the service together, and for each other wait. A stored time means another wait once the clock
 * is set: what lies further ahead than this was stored before the clock was set back, and is due.
 */
export const LONGEST_WAIT_MS = 10 * 60_000;

/** Until when a turn waits (epoch ms). Undefined: it is due. TurnStore.takeHead decides in the same way. */
export function waitsUntil({ notBefore = 0 }: Pick<Turn, 'notBefore'>, now: number): number | undefined {
  return notBefore > now && notBefore <= now + LONGEST_WAIT_MS ? notBefore : undefined;
}
