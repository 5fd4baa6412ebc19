// What an admin sees in a modal, kept until they send it: it may be longer than what a modal can carry.
import { randomUUID } from 'node:crypto';
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { AllocationShown } from '../allocations/allocation-form-views.ts';
import type { PlannedChange } from '../changes/change-views.ts';

export type KeepPorts = {
  /** What waits for a second admin, or to be confirmed, for a while. */
  approvals: ExpiringStore;
  now: () => number;
};

/** A working day; whoever comes back later looks anew. */
const KEPT_MS = 12 * 60 * 60 * 1000;

/**
 * Until it is confirmed. Returns the id that the change has from now on: confirmed twice, it is one change. Throws
 * StoreUnavailableError, as all of these.
 */
export function keepChange(change: PlannedChange, ports: KeepPorts): Promise<string> {
  return keep('plan', change, ports);
}

/** Undefined: never kept, or too old. It stays: the second of two clicks finds it, too. */
export function readChange(id: string, ports: Pick<KeepPorts, 'approvals'>): Promise<PlannedChange | undefined> {
  return read<PlannedChange>('plan', id, ports);
}

/** What the form was filled in from: a plan has to be made of the very same. */
export function keepAllocation(shown: AllocationShown, ports: KeepPorts): Promise<string> {
  return keep('allocation', shown, ports);
}

export function readAllocation(id: string, ports: Pick<KeepPorts, 'approvals'>): Promise<AllocationShown | undefined> {
  return read<AllocationShown>('allocation', id, ports);
}

async function keep(kind: string, value: unknown, { approvals, now }: KeepPorts): Promise<string> {
  const id = randomUUID();
  await approvals.put(`${kind}:${id}`, JSON.stringify(value), now() + KEPT_MS);
  return id;
}

async function read<T>(kind: string, id: string, { approvals }: Pick<KeepPorts, 'approvals'>): Promise<T | undefined> {
  const kept = await approvals.peek(`${kind}:${id}`);
  return kept === undefined ? undefined : (JSON.parse(kept) as T);
}
