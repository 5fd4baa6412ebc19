import type { ChangeOutcome, ChangeStore, LimitChange } from './changes/change.ts';
import { type GovernedAgent, hasSameValues, isSameKnownLimit, type KnownLimit } from './inventory/agent-limit.ts';

/** Longer than a change takes whose process lives: reads, a write and their repetitions, each within its time. */
const BROKEN_OFF_MS = 120_000;

type Settled = LimitChange & { outcome: ChangeOutcome };

/**
 * After a look: ends the agent's last change from here where that was begun, and broke off, by what the look has shown of
 * it. Undefined where there is no such change.
 */
export async function settleLimit(
  { environmentId, agentResourceId }: Pick<GovernedAgent, 'environmentId' | 'agentResourceId'>,
  found: KnownLimit,
  { changes, now }: { changes: Pick<ChangeStore, 'lastSet' | 'get' | 'finish'>; now: () => number },
): Promise<Settled | undefined> {
  const change = await changes.lastSet(environmentId, agentResourceId);
  if (change === undefined || change.outcome !== undefined || !isOver(change.at, now())) return undefined;
  return endBrokenOff(change.id, found, { changes, now });
}

/** Ends a change of which it is known that it broke off. Undefined where it has ended meanwhile. */
export async function endBrokenOff(
  changeId: string,
  found: KnownLimit,
  { changes, now }: { changes: Pick<ChangeStore, 'get' | 'finish'>; now: () => number },
): Promise<Settled | undefined> {
  const change = await changes.get(changeId);
  if (change?.kind !== 'agent_limit' || change.outcome !== undefined) return undefined;
  const outcome = toOutcome(change, found, now());
  await changes.finish(changeId, outcome);
  return { ...change, outcome };
}

function toOutcome({ before, after, at }: LimitChange, found: KnownLimit, now: number): ChangeOutcome {
  const reason = 'interrupted';
  // Nobody can tell: what was set from here is all that is known, and this may or may not have been.
  const isTold = found.source === 'deployment' || found.source === 'none';
  if (!isTold) return { kind: 'applied_not_verified', written: 'perhaps', reason };
  const isAfter = found.source === 'deployment' && hasSameValues(found.limit, after);
  if (isAfter) return { kind: 'verified', written: 'yes', reason };
  if (isSameKnownLimit(found, before)) return { kind: 'failed', written: isOver(at, now) ? 'no' : 'perhaps', reason };
  return { kind: 'conflict', written: 'perhaps', reason, found };
}

/**
 * Whether nothing of a change begun at `at` can still be on its way (both epoch ms). A process may die with its write on
 * the way: that it does not show yet is no proof for a while.
 */
export function isOver(at: number, now: number): boolean {
  return now - at >= BROKEN_OFF_MS;
}
