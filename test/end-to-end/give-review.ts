import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminWorld } from './admin-world.ts';

/** Gives the command. The review before is over once its end is noted, which is a moment after it was told. */
export async function giveReview(world: Pick<AdminWorld, 'tell'>): Promise<void> {
  while ((await world.tell('review')).includes('runs already')) await sleep(50);
}
