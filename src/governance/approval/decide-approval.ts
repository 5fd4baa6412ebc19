// How a request for approval ends: approved, and then carried out, or rejected. Once, whatever is clicked how often.
import type { Change, ChangeStore } from '../change-store.ts';
import type { Caller } from '../is-admin.ts';
import { toApprovalEntry } from './approval-entry.ts';
import { type ApprovalState, readState, toApprovalKey, writeState } from './approval-state.ts';
import type { AskPorts } from './ask-approval.ts';
import { findObjection, type PendingChange } from './pending-change.ts';

export type DecidePorts = AskPorts & { changes: Pick<ChangeStore, 'get'> };

/** `ended`: what carrying it out came to. */
export type Approval<E> = { kind: 'carried_out'; pending: PendingChange; ended: E } | Ended;

export type Rejection = { kind: 'rejected'; pending: PendingChange } | Ended;

/** `clicker`: who decides. */
type Deciding = { id: string; clicker: Caller };

type Ended =
  /** It was approved before, and this app broke off in the middle. `change` says what is known of it. */
  | { kind: 'broke_off'; pending: PendingChange; change: Change }
  /** There is nothing to decide any more; undefined: nothing is known of it. */
  | { kind: 'closed'; state: ApprovalState | undefined }
  | { kind: 'not_allowed'; objection: 'own_request' | 'not_named' };

/**
 * `carryOut` records the change under the id of the request before it sends anything: that record, not the kept request,
 * makes it one change. Where `carryOut` throws, nothing was sent, and the request stays open.
 */
export function approveChange<E>(
  deciding: Deciding,
  carryOut: (pending: PendingChange) => Promise<E>,
  ports: DecidePorts,
): Promise<Approval<E>> {
  return decide<Approval<E>>(deciding, ports, async (pending) => {
    const ended = await carryOut(pending);
    // A request that cannot be closed is closed by the next click: its change is not carried out again.
    await close(pending, 'approved', ports).catch(() => undefined);
    return { kind: 'carried_out', pending, ended };
  });
}

export function rejectChange(deciding: Deciding, ports: DecidePorts): Promise<Rejection> {
  return decide<Rejection>(deciding, ports, async (pending) => {
    const outcome = { kind: 'refused' } as const;
    await ports.audit.append(toApprovalEntry(pending, { what: 'approval_refused', outcome, at: ports.now() }));
    await close(pending, 'rejected', ports);
    return { kind: 'rejected', pending };
  });
}

/** One decision at a time; those who come later find it closed. */
function decide<Decision>(
  { id, clicker }: Deciding,
  ports: DecidePorts,
  work: (pending: PendingChange) => Promise<Decision>,
): Promise<Decision | Ended> {
  const { approvals, changes, exclusively } = ports;
  return exclusively(toApprovalKey(id), async () => {
    const text = await approvals.peek(toApprovalKey(id));
    if (text === undefined) return { kind: 'closed', state: await readState(approvals, id) };
    const pending = JSON.parse(text) as PendingChange;
    const objection = findObjection(pending, clicker);
    if (objection) return { kind: 'not_allowed', objection };
    const change = await changes.get(id);
    if (change === undefined) return work(pending);
    await close(pending, 'approved', ports);
    return { kind: 'broke_off', pending, change };
  });
}

async function close(
  { id, expiresAt }: PendingChange,
  kind: 'approved' | 'rejected',
  { approvals, now }: DecidePorts,
): Promise<void> {
  await writeState(approvals, id, { kind, at: now(), expiresAt });
  await approvals.take(toApprovalKey(id));
}
