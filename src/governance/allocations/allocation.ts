// What an environment's allocation is now, and what became of a change that was never heard of again.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import type { WithLock } from '../../with-lock.ts';
import { isSameAllocation } from '../allocation/same-allocation.ts';
import type { AllocationChange, ChangeOutcome, ChangeStore } from '../changes/change.ts';
import { isOver } from '../settle-limit.ts';

export type AllocationLook = {
  /** 'none': the service knows no allocation of this environment. */
  allocation: Allocation | 'none';
  /** Epoch ms. */
  readAt: number;
  /** A change from here that was begun, and broke off. Its outcome says what this look has shown of it. */
  interrupted?: AllocationChange & { outcome: ChangeOutcome };
};

export type AllocationSources = {
  session: Pick<AdminSession, 'readAllocation'>;
  changes: ChangeStore;
  exclusively: WithLock;
  now: () => number;
};

/** Looks now. Throws the errors of admin-errors.ts, and StoreUnavailableError. */
export async function lookUpAllocation(environmentId: string, sources: AllocationSources): Promise<AllocationLook> {
  const { session, changes, exclusively, now } = sources;
  const change = await changes.lastAllocation(environmentId);
  const isBrokenOff = change !== undefined && change.outcome === undefined && isOver(change.at, now());
  if (!isBrokenOff) return { allocation: await session.readAllocation(environmentId), readAt: now() };
  return exclusively(toAllocationKey(environmentId), async () => {
    const allocation = await session.readAllocation(environmentId);
    const interrupted = await settleAllocation(change.id, allocation, { changes, now });
    return { allocation, readAt: now(), ...(interrupted && { interrupted }) };
  });
}

/** For `exclusively`. */
export function toAllocationKey(environmentId: string): string {
  return `allocation:${environmentId.toLowerCase()}`;
}

/** Ends a change that broke off by what is there now. Undefined where it has ended by itself meanwhile. */
export async function settleAllocation(
  changeId: string,
  found: Allocation | 'none',
  { changes, now }: { changes: Pick<ChangeStore, 'get' | 'finish'>; now: () => number },
): Promise<AllocationLook['interrupted']> {
  const change = await changes.get(changeId);
  if (change?.kind !== 'allocation' || change.outcome !== undefined) return undefined;
  const outcome = toOutcome(change, found, now());
  await changes.finish(changeId, outcome);
  return { ...change, outcome };
}

function toOutcome({ before, after, at }: AllocationChange, found: Allocation | 'none', now: number): ChangeOutcome {
  const reason = 'interrupted';
  if (found !== 'none' && isSameAllocation(found, after)) return { kind: 'verified', written: 'yes', reason };
  if (found !== 'none' && isSameAllocation(found, before)) {
    return { kind: 'failed', written: isOver(at, now) ? 'no' : 'perhaps', reason };
  }
  return { kind: 'conflict', written: 'perhaps', reason, found };
}
