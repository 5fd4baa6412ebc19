import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultKind } from '@assistant-bridge/sandbox/assistant/faults.ts';
import type { Cluster } from '../cluster.ts';

/**
 * Refusals, lost answers, and answers that come in another way than they should. A 401 is left out: two in a row, and the
 * person alone is told to sign in again, where this suite does not look.
 */
const KINDS: readonly FaultKind[] = [
  ...(['429-seconds', '503-retry-after', 'reset-before-body'] as const),
  ...(['500', '502', '504-html', 'reset-after-body', 'cut-answer', 'not-json', 'drip'] as const),
];

const EVERY_MS = 250;

/** The assistant service misbehaves, once or a few times. */
export async function breakService({ world, random }: Cluster, kind = random.pick(KINDS)): Promise<void> {
  await sleep(random.between(0, 2 * EVERY_MS));
  world.assistant.faults.next(kind, { times: 1 + random.below(3) });
}
