// How a request for approval ends: approved, and then carried out, or rejected. Once, whatever is clicked how often.
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import type { Change, ChangeStore } from '../changes/change.ts';
import type { OverlayStore } from '../register/overlay.ts';
import type { AccountPorts } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { findApprovalObjection, findObjection, type Objection } from './find-objection.ts';
import {
  type ApprovalState,
  type AskPorts,
  isBulk,
  isDecision,
  type Pending,
  type PendingBulk,
  type PendingChange,
  type PendingDecision,
  readState,
  toApprovalEntry,
  toApprovalKey,
  writeState,
} from './pending-change.ts';

export type DecidePorts = AskPorts &
  AccountPorts & {
    changes: Pick<ChangeStore, 'get'>;
    overlay: Pick<OverlayStore, 'list'>;
    bulk: { isBegun(id: string): Promise<boolean> };
  };

/** `ended`: what carrying it out came to. */
export type Approval<E> = { kind: 'carried_out'; pending: Pending; ended: E } | Ended;

export type Rejection = { kind: 'rejected'; pending: Pending } | Ended;

/** `clicker`: who decides. */
type Deciding = { id: string; clicker: Caller };

/** `reason`: in the approver's own words. */
type Rejecting = Deciding & { reason: string };

/** `shown`: the hash of what they were shown, which their button carries. */
type Approving = Deciding & { shown: string };

export type Ended =
  /** It was approved before, and this app broke off in the middle. `change` says what is known of it. */
  | { kind: 'broke_off'; pending: PendingChange; change: Change }
  /** The same of a decision, which is recorded, or a bulk change, which is carried out. */
  | { kind: 'recorded'; pending: PendingDecision | PendingBulk }
  /** There is nothing to decide any more; undefined: nothing is known of it. `pending`: its rejection ends only now. */
  | { kind: 'closed'; state: ApprovalState | undefined; pending?: Pending }
  | { kind: 'not_allowed'; objection: Objection };

/**
 * Approves for somebody who is another person in the directory than who asked, and only what they were shown.
 * `carryOut` records the change or decision under the id of the request before anything else: that record, not the kept
 * request, makes it one. Where `carryOut` throws, nothing was sent, and the request stays open. Throws
 * AccountNotLinkedError where the approver is not signed in.
 */
export function approveChange<E>(
  { shown, ...deciding }: Approving,
  carryOut: (pending: Pending, approverAccount: string | undefined) => Promise<E>,
  ports: DecidePorts,
): Promise<Approval<E>> {
  return decide<Approval<E>>(deciding, ports, async (pending) => {
    const account = await readApproverAccount(deciding.clicker, ports);
    const objection = findApprovalObjection(pending, { account, shown });
    if (objection) return { kind: 'not_allowed', objection };
    const ended = await carryOut(pending, account);
    // A request that cannot be closed is closed by the next click: its change is not carried out again.
    await close(pending, ports).catch(() => undefined);
    return { kind: 'carried_out', pending, ended };
  });
}

export function rejectChange({ reason, ...deciding }: Rejecting, ports: DecidePorts): Promise<Rejection> {
  return decide<Rejection>(deciding, ports, async (pending) => {
    await writeState(ports.approvals, pending.id, toDecided(pending, { kind: 'rejected', reason }, ports));
    await endRejection(pending, reason, ports);
    return { kind: 'rejected', pending };
  });
}

/** What waits for them; or why they cannot decide about it. Reads only: what is done with it looks again. */
export async function findWaiting(
  { id, clicker }: Deciding,
  { approvals }: Pick<DecidePorts, 'approvals'>,
): Promise<{ kind: 'waiting'; pending: Pending } | Extract<Ended, { kind: 'closed' | 'not_allowed' }>> {
  const text = await approvals.peek(toApprovalKey(id));
  if (text === undefined) return { kind: 'closed', state: await readState(approvals, id) };
  const pending = JSON.parse(text) as Pending;
  const objection = findObjection(pending, clicker);
  return objection ? { kind: 'not_allowed', objection } : { kind: 'waiting', pending };
}

async function readApproverAccount(
  { team, user }: Caller,
  { adminAccount }: AccountPorts,
): Promise<string | undefined> {
  const admin = await adminAccount({ team, user });
  if (admin?.isSignedIn !== true) throw new AccountNotLinkedError(admin === undefined ? 'never' : 'ended');
  return admin.account;
}

/** One decision at a time; those who come later find it closed. */
function decide<Decision>(
  { id, clicker }: Deciding,
  ports: DecidePorts,
  work: (pending: Pending) => Promise<Decision>,
): Promise<Decision | Ended> {
  const { approvals, changes, exclusively } = ports;
  return exclusively(toApprovalKey(id), async () => {
    const text = await approvals.peek(toApprovalKey(id));
    const state = await readState(approvals, id);
    if (text === undefined) return { kind: 'closed', state };
    const pending = JSON.parse(text) as Pending;
    const objection = findObjection(pending, clicker);
    if (objection) return { kind: 'not_allowed', objection };
    if (state?.kind === 'rejected') {
      // It broke off before it was in the log.
      await endRejection(pending, state.reason, ports);
      return { kind: 'closed', state, pending };
    }
    if (isDecision(pending) || isBulk(pending)) {
      if (!(await isRecorded(pending, ports))) return work(pending);
      await close(pending, ports);
      return { kind: 'recorded', pending };
    }
    const change = await changes.get(id);
    if (change === undefined) return work(pending);
    await close(pending, ports);
    return { kind: 'broke_off', pending, change };
  });
}

async function isRecorded(pending: PendingDecision | PendingBulk, { overlay, bulk }: DecidePorts): Promise<boolean> {
  if (isBulk(pending)) return bulk.isBegun(pending.id);
  return (await overlay.list()).some(({ id }) => id === pending.id);
}

/** After its state was written: the log tells of what has happened, and as long as it does not the request is kept. */
async function endRejection(
  pending: Pending,
  said: string | undefined,
  { approvals, audit, adminAccount, now }: DecidePorts,
): Promise<void> {
  const { approver, by } = pending;
  // Nobody has to be signed in to reject something.
  const approverAccount = (await adminAccount({ team: by.team, user: approver }))?.account;
  const outcome = { kind: 'refused', said } as const;
  const step = { what: 'approval_refused', outcome, at: now(), approverAccount } as const;
  await audit.append(toApprovalEntry(pending, step));
  await approvals.take(toApprovalKey(pending.id));
}

async function close(pending: Pending, ports: DecidePorts): Promise<void> {
  await writeState(ports.approvals, pending.id, toDecided(pending, { kind: 'approved' }, ports));
  await ports.approvals.take(toApprovalKey(pending.id));
}

function toDecided(
  { expiresAt }: Pending,
  decision: Pick<ApprovalState, 'kind' | 'reason'>,
  { now }: Pick<DecidePorts, 'now'>,
): ApprovalState {
  return { ...decision, at: now(), expiresAt };
}
