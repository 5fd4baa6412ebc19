// What an environment's allocation is now, and what became of a change that was never heard of again.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import type { WithLock } from '../../with-lock.ts';
import { type BrokenOffChange, endBrokenOff, isOver } from '../changes/broken-off.ts';
import type { AllocationChange, ChangeStore } from '../changes/change.ts';
import { isSameAllocation } from './allocation.ts';

export type AllocationLook = {
  /** 'none': the service knows no allocation of this environment. */
  allocation: Allocation | 'none';
  /** Epoch ms. */
  readAt: number;
  /** A change from here that was begun, and broke off. Its outcome says what this look has shown of it. */
  interrupted?: BrokenOffChange<'allocation'>;
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
    const interrupted = await endAllocationChange(change.id, allocation, { changes, now });
    return { allocation, readAt: now(), ...(interrupted && { interrupted }) };
  });
}

/** For `exclusively`. */
export function toAllocationKey(environmentId: string): string {
  return `allocation:${environmentId.toLowerCase()}`;
}

/** Ends a change that broke off by what is there now. Undefined where it has ended by itself meanwhile. */
export function endAllocationChange(
  changeId: string,
  found: Allocation | 'none',
  sources: Parameters<typeof endBrokenOff>[2],
): Promise<BrokenOffChange<'allocation'> | undefined> {
  const compare = ({ before, after }: AllocationChange) => {
    if (found !== 'none' && isSameAllocation(found, after)) return 'after';
    return found !== 'none' && isSameAllocation(found, before) ? 'before' : 'other';
  };
  return endBrokenOff({ changeId, kind: 'allocation', found }, compare, sources);
}
