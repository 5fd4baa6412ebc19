// How a request for approval ends: approved, and then carried out, or rejected. Once, whatever is clicked how often.

import type { Change, ChangeStore } from '../changes/change.ts';
import type { OverlayStore } from '../register/overlay.ts';
import type { Caller } from '../shell/admin-rules.ts';
import {
  type ApprovalState,
  type AskPorts,
  findObjection,
  isDecision,
  type Pending,
  type PendingChange,
  type PendingDecision,
  readState,
  toApprovalEntry,
  toApprovalKey,
  writeState,
} from './pending-change.ts';

export type DecidePorts = AskPorts & { changes: Pick<ChangeStore, 'get'>; overlay: Pick<OverlayStore, 'list'> };

/** `ended`: what carrying it out came to. */
export type Approval<E> = { kind: 'carried_out'; pending: Pending; ended: E } | Ended;

export type Rejection = { kind: 'rejected'; pending: Pending } | Ended;

/** `clicker`: who decides. */
type Deciding = { id: string; clicker: Caller };

type Ended =
  /** It was approved before, and this app broke off in the middle. `change` says what is known of it. */
  | { kind: 'broke_off'; pending: PendingChange; change: Change }
  /** The same of a decision: it is recorded. */
  | { kind: 'recorded'; pending: PendingDecision }
  /** There is nothing to decide any more; undefined: nothing is known of it. */
  | { kind: 'closed'; state: ApprovalState | undefined }
  | { kind: 'not_allowed'; objection: 'own_request' | 'not_named' };

/**
 * `carryOut` records the change or decision under the id of the request before anything else: that record, not the kept
 * request, makes it one. Where `carryOut` throws, nothing was sent, and the request stays open.
 */
export function approveChange<E>(
  deciding: Deciding,
  carryOut: (pending: Pending) => Promise<E>,
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
    await writeState(ports.approvals, pending.id, toState(pending, 'rejected', ports));
    await endRejection(pending, ports);
    return { kind: 'rejected', pending };
  });
}

/** One decision at a time; those who come later find it closed. */
function decide<Decision>(
  { id, clicker }: Deciding,
  ports: DecidePorts,
  work: (pending: Pending) => Promise<Decision>,
): Promise<Decision | Ended> {
  const { approvals, changes, overlay, exclusively } = ports;
  return exclusively(toApprovalKey(id), async () => {
    const text = await approvals.peek(toApprovalKey(id));
    const state = await readState(approvals, id);
    if (text === undefined) return { kind: 'closed', state };
    const pending = JSON.parse(text) as Pending;
    const objection = findObjection(pending, clicker);
    if (objection) return { kind: 'not_allowed', objection };
    if (state?.kind === 'rejected') {
      // It broke off before it was in the log.
      await endRejection(pending, ports);
      return { kind: 'closed', state };
    }
    if (isDecision(pending)) {
      const isRecorded = (await overlay.list()).some((record) => record.id === id);
      if (!isRecorded) return work(pending);
      await close(pending, 'approved', ports);
      return { kind: 'recorded', pending };
    }
    const change = await changes.get(id);
    if (change === undefined) return work(pending);
    await close(pending, 'approved', ports);
    return { kind: 'broke_off', pending: pending as PendingChange, change };
  });
}

/** After its state was written: the log tells of what has happened, and as long as it does not the request is kept. */
async function endRejection(pending: Pending, { approvals, audit, now }: DecidePorts): Promise<void> {
  await audit.append(toApprovalEntry(pending, { what: 'approval_refused', outcome: { kind: 'refused' }, at: now() }));
  await approvals.take(toApprovalKey(pending.id));
}

async function close(pending: Pending, kind: 'approved', ports: DecidePorts): Promise<void> {
  await writeState(ports.approvals, pending.id, toState(pending, kind, ports));
  await ports.approvals.take(toApprovalKey(pending.id));
}

function toState(
  { expiresAt }: Pending,
  kind: 'approved' | 'rejected',
  { now }: Pick<DecidePorts, 'now'>,
): ApprovalState {
  return { kind, at: now(), expiresAt };
}
