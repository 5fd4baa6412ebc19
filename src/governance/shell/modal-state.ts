// What an admin sees in a modal, kept until they send it: it may be longer than what a modal can carry.
import { randomUUID } from 'node:crypto';
import type { ExpiringStore } from '../../identity/account-link.ts';

export type KeepPorts = {
  /** What waits for a second admin, or to be confirmed, for a while. */
  approvals: ExpiringStore;
  now: () => number;
};

/** A working day; whoever comes back later looks anew. */
const KEPT_MS = 12 * 60 * 60 * 1000;

/** `kind`: what it is, as long as it is kept: never rename. Returns its id. Throws StoreUnavailableError, as reading does. */
export async function keep(kind: string, value: unknown, { approvals, now }: KeepPorts): Promise<string> {
  const id = randomUUID();
  await approvals.put(`${kind}:${id}`, JSON.stringify(value), now() + KEPT_MS);
  return id;
}

/** Undefined: never kept, or too old. It stays: the second of two clicks finds it, too. */
export async function readKept<T>(
  kind: string,
  id: string,
  { approvals }: Pick<KeepPorts, 'approvals'>,
): Promise<T | undefined> {
  const kept = await approvals.peek(`${kind}:${id}`);
  return kept === undefined ? undefined : (JSON.parse(kept) as T);
}
