// What was approved, carried out or recorded in the name of the approver; and what is known of it where that broke off.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { LockBusyError, StoreUnavailableError } from '../../errors.ts';
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { Log } from '../../log.ts';
import { type Content, toMrkdwnLine } from '../../slack/views/content.ts';
import type { ChangeOutcome, ChangeStore } from '../changes/change.ts';
import type { OverlayStore } from '../register/overlay.ts';
import type { ApprovedSources } from '../review/approved-state.ts';
import { type DecisionPorts, decideOnce } from '../review/decide-once.ts';
import { buildDecided, buildDecidedBefore } from '../review/decided-views.ts';
import { type RecheckPorts, recheckPlanned } from '../review/recheck.ts';
import { readReady } from '../review/reviewed-finding.ts';
import { type AccessPorts, type AccountPorts, type Admin, NotAdminError, requireAdmin } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { type PendingBulk, type PendingChange, type PendingDecision, readState } from './pending-change.ts';
import { requireRights } from './slack-approval-request.ts';
import { type CarryOutPorts, carryOut, type EndedChange } from './slack-confirmed-change.ts';

/** Who approves, with the account of the directory by which they are known to be somebody else. */
export type Approver = Admin & { account: string | undefined };

/** In the name of the approver. Throws where nothing was sent: then the request stays open. */
export async function carryOutFor(
  pending: PendingChange,
  { caller, account: approverAccount, openSession }: Approver,
  ports: AccessPorts & AccountPorts & CarryOutPorts,
): Promise<EndedChange> {
  const { id, by, account, reason, planned } = pending;
  const session = await openAsApprover(pending, { caller, account: approverAccount, openSession }, ports);
  const request = { changeId: id, by, account, reason, approvedBy: caller.user, approverAccount };
  return carryOut({ change: planned, request }, session, ports);
}

/** Throws where they cannot approve it now. */
async function openAsApprover(
  pending: PendingChange | PendingBulk,
  { caller, account, openSession }: Approver,
  ports: AccessPorts & AccountPorts & CarryOutPorts,
): Promise<AdminSession> {
  await requireStillAdmin(pending.by, ports);
  const session = await openSession();
  // Whoever may not even look would use up the request for a refusal; so would a service that is down.
  await requireRights(pending, session, ports);
  await requireSameAccount(caller, account, ports);
  return session;
}

/** Port: the bulk changes that wait for an approval. */
export type BulkApprovals = {
  isBegun(id: string): Promise<boolean>;
  /** Has it carried out in the background, once. Throws NotAsShownError where it is not what was shown, or is gone. */
  begin(pending: PendingBulk, approver: Pick<Approver, 'caller' | 'account'>): Promise<void>;
};

export type BeginPorts = AccessPorts & AccountPorts & CarryOutPorts & { bulk: BulkApprovals };

/** It goes on in the background, in the name of the approver. Throws where nothing was begun: then the request stays open. */
export async function beginFor(pending: PendingBulk, approver: Approver, ports: BeginPorts): Promise<EndedDecision> {
  await openAsApprover(pending, approver, ports);
  await ports.bulk.begin(pending, approver);
  return { tell: () => buildAdminText(BEGUN) };
}

export const BEGUN =
  'It is carried out in the background, with the rights of who approved it. Both of you get a direct message about how it ends.';

/** What is kept is not what the approver was shown. */
export class NotAsShownError extends Error {
  constructor() {
    super('what is to be carried out is not what was shown');
  }
}

/** How it ended, and what is said of it. */
export type EndedDecision = { outcome?: undefined; tell(options: { timeZone: string }): Content };

export type RecordPorts = AccessPorts & AccountPorts & DecisionPorts & RecheckPorts & ApprovedSources;

/**
 * Once, and only while it can still be decided so: where it cannot, the request ends all the same, and it is told why.
 * Throws where nothing was recorded, and DecisionUnclearError: then the request stays open.
 */
export async function recordFor(
  pending: PendingDecision,
  { caller, account: approverAccount, openSession }: Approver,
  ports: RecordPorts,
): Promise<EndedDecision> {
  const { id, by, planned } = pending;
  const { record, finding, environmentName } = planned;
  await requireStillAdmin(by, ports);
  // Whoever has not signed in for administration is nobody's second admin.
  const session = await openSession();
  // Nor is whoever may not even look at it: else any other account of the requester would do.
  await session.readAllocation(record.environmentId);
  await requireSameAccount(caller, approverAccount, ports);
  const decide = await recheckPlanned(planned, { openSession: async () => session, ports });
  const outcome = await decideOnce(
    { id, environmentId: record.environmentId },
    async () => {
      const approved = await readReady(ports);
      if ('problem' in approved) return approved;
      return decide(approved, { approvedBy: caller.user, approverAccount, at: ports.now() });
    },
    ports,
  );
  const { team, user } = caller;
  ports.log.info({ team, user, decision: id, outcome: outcome.kind, kind: record.kind }, 'decision ended');
  switch (outcome.kind) {
    case 'recorded':
      return { tell: () => buildDecided(outcome.record, finding, environmentName) };
    case 'duplicate':
      return { tell: buildDecidedBefore };
    case 'problem':
      return { tell: () => buildAdminText(`:x: *Not recorded*: ${toMrkdwnLine(outcome.sentence, 600)}`) };
  }
}

/** Who asked is no admin any more. */
export class RequesterGoneError extends Error {
  readonly user: string;

  constructor(user: string) {
    super('the requester is no admin any more');
    this.user = user;
  }
}

/** Who approves has signed in with another account since they were compared with who asked. */
export class ApproverChangedError extends Error {
  constructor() {
    super('the approver signed in with another account');
  }
}

export type KnownPorts = {
  approvals: ExpiringStore;
  changes: Pick<ChangeStore, 'get'>;
  overlay: Pick<OverlayStore, 'list'>;
  bulk: Pick<BulkApprovals, 'isBegun'>;
  log: Log;
};

/** In place of *nothing was decided*, which may not be so; undefined where that is so, or the error says enough. */
export async function tellFromRecord(error: unknown, id: string, ports: KnownPorts): Promise<Content | undefined> {
  if (!(error instanceof StoreUnavailableError)) return undefined;
  ports.log.warn({ code: error.code, change: id }, 'approval not carried through');
  const known = await find(id, ports).catch(() => UNCLEAR);
  if (known !== undefined) return buildAdminText(known);
  return error instanceof LockBusyError ? buildAdminText(BUSY) : undefined;
}

/** A right to ask may have ended since. */
async function requireStillAdmin(by: Caller, ports: AccessPorts): Promise<void> {
  try {
    await requireAdmin(by, ports, { isCounted: false });
  } catch (error) {
    throw error instanceof NotAdminError ? new RequesterGoneError(by.user) : error;
  }
}

/**
 * After the session was used: its token may be of an account that they signed in with since, such as the one that the
 * change was asked for with.
 */
async function requireSameAccount(
  { team, user }: Caller,
  account: string | undefined,
  { adminAccount }: AccountPorts,
): Promise<void> {
  if ((await adminAccount({ team, user }))?.account !== account) throw new ApproverChangedError();
}

async function find(id: string, { approvals, changes, overlay, bulk }: KnownPorts): Promise<string | undefined> {
  const [state, change, decisions, isBegun] = await Promise.all([
    readState(approvals, id),
    changes.get(id),
    overlay.list(),
    bulk.isBegun(id),
  ]);
  if (change?.outcome !== undefined) return ENDED[change.outcome.kind];
  if (change !== undefined || isBegun || decisions.some((record) => record.id === id)) return CARRIED_OUT;
  if (state?.kind === 'rejected') return REJECTED;
  return state?.kind === 'approved' ? CARRIED_OUT : undefined;
}

const CARRIED_OUT =
  'This was approved, and is carried out once. `/assistant-admin audit` shows how it ended; where it has not ended yet, look again in a minute.';

const ENDED: Record<ChangeOutcome['kind'], string> = {
  verified: 'This was approved, and ended as *Verified*.',
  applied_not_verified: 'This was approved, and ended as *Applied, not verified*.',
  conflict: 'This was approved, and ended as *Conflict*.',
  failed: 'This was approved, and ended as *Failed*: nothing was changed. It has to be asked for again.',
};

const REJECTED = 'This was rejected, and nothing was changed.';

const BUSY =
  'This is being decided or carried out just now, once. Look in a minute: this conversation says how it ended, and so does `/assistant-admin audit`.';

const UNCLEAR =
  'I could not find out whether this was decided. Press the button again in a minute: whatever is pressed, it is carried out once.';
