import type { ChangeOutcome, ChangeStore, LimitChange } from './change-store.ts';
import { type GovernedAgent, hasSameValues, isSameKnownLimit, type KnownLimit } from './limit.ts';

/** Longer than a change takes whose process lives: reads, a write and their repetitions, each within its time. */
export const BROKEN_OFF_MS = 120_000;

/**
 * After a look: ends the agent's last change from here where that was begun, and broke off, by what the look has shown of
 * it. Undefined where there is no such change.
 */
export async function settleLimit(
  { environmentId, agentResourceId }: Pick<GovernedAgent, 'environmentId' | 'agentResourceId'>,
  found: KnownLimit,
  { changes, now }: { changes: Pick<ChangeStore, 'lastSet' | 'finish'>; now: () => number },
): Promise<(LimitChange & { outcome: ChangeOutcome }) | undefined> {
  const change = await changes.lastSet(environmentId, agentResourceId);
  if (change === undefined || change.outcome !== undefined || now() - change.at < BROKEN_OFF_MS) return undefined;
  const outcome = toOutcome(change, found);
  await changes.finish(change.id, outcome);
  return { ...change, outcome };
}

function toOutcome({ before, after }: LimitChange, found: KnownLimit): ChangeOutcome {
  const reason = 'interrupted';
  // Nobody can tell: what was set from here is all that is known, and this may or may not have been.
  const isTold = found.source === 'deployment' || found.source === 'none';
  if (!isTold) return { kind: 'applied_not_verified', written: 'perhaps', reason };
  const isAfter = found.source === 'deployment' && hasSameValues(found.limit, after);
  if (isAfter) return { kind: 'verified', written: 'yes', reason };
  if (isSameKnownLimit(found, before)) return { kind: 'failed', written: 'no', reason };
  return { kind: 'conflict', written: 'perhaps', reason, found };
}
