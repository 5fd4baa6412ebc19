// Ends a request for approval: approves and carries out its plan, or rejects it. Idempotent, so a second click does no harm.
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { requireChannelRights } from '../run/run-rights.ts';
import type { GovernanceServices } from '../services.ts';
import type { Admin } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import {
  requireApprovable,
  requireDecider,
  requireReadable,
  requireSameAccount,
  requireStillAdmin,
} from './approval-rights.ts';
import type { Approval } from './approval-store.ts';
import { toApprovalEntry } from './slack-approval-request.ts';

/**
 * `outdated`: somebody changed the same entries meanwhile, so the request is withdrawn. `closed`: there is nothing to decide
 * any more.
 */
export type Decided =
  | { kind: 'approved' | 'rejected' | 'outdated'; approval: Approval }
  | { kind: 'closed'; approval: Approval | undefined };

/**
 * Approves only what the approver was shown, and only if they are not the requester in the directory. Idempotent because of
 * the run, not because of the stored request. Throws if nothing was begun; then the request stays open.
 */
export function approve(
  { id, shown, caller, openSession }: Pick<Admin, 'caller' | 'openSession'> & { id: string; shown: string },
  services: GovernanceServices,
): Promise<Decided> {
  return decide({ id, caller }, services, async (approval) => {
    const account = await readAccount(caller, services);
    requireApprovable(approval, { account, shown });
    await requireStillAdmin(approval, services);
    await requireChannelRights(approval.plan.edits, caller, services);
    // Check this first, because a refusal or a service that is down must not use up the request.
    await requireReadable(approval.plan, await openSession(), services);
    await requireSameAccount(caller, account, services);
    const { plan, by, reason, replyTo } = approval;
    const people = { by, account: approval.account, approver: caller, approverAccount: account };
    const confirmed = await services.engine.carryOutApproved({ plan, ...people, reason, replyTo });
    const isOutdated = confirmed === 'outdated';
    const state = isOutdated ? 'withdrawn' : 'approved';
    if (isOutdated) {
      const step = { what: 'approval_outdated', outcome: { kind: 'conflict' }, at: services.now() } as const;
      await services.audit.append(toApprovalEntry(approval, { ...step, approverAccount: account }));
    }
    const decided: Approval = { ...approval, state, decidedAt: services.now() };
    // If this cannot be stored, nothing is carried out twice: the next click finds the run.
    await services.approvals
      .change(id, () => decided)
      .catch((error: unknown) => services.log.warn({ err: error, plan: id }, 'approval not closed'));
    return { kind: isOutdated ? 'outdated' : 'approved', approval: decided };
  });
}

/** `said`: why, in the approver's own words. */
export function reject(
  { id, caller, said }: { id: string; caller: Caller; said: string },
  services: GovernanceServices,
): Promise<Decided> {
  return decide({ id, caller }, services, async (approval) => {
    const { team, user } = caller;
    // Nobody has to be signed in to reject something.
    const approverAccount = (await services.adminAccount({ team, user }))?.account;
    const step = { what: 'approval_rejected', outcome: { kind: 'refused', said }, at: services.now() } as const;
    await services.audit.append(toApprovalEntry(approval, { ...step, approverAccount }));
    const rejected = { ...approval, state: 'rejected' as const, said, decidedAt: step.at };
    await services.approvals.change(id, () => rejected);
    return { kind: 'rejected', approval: rejected };
  });
}

/** Finds the request for this person, and changes nothing. Throws a SentenceError if they cannot decide about it. */
export async function findWaiting(
  { id, caller }: { id: string; caller: Caller },
  services: Pick<GovernanceServices, 'approvals' | 'runs' | 'now'>,
): Promise<{ kind: 'waiting'; approval: Approval } | Extract<Decided, { kind: 'closed' }>> {
  const approval = await services.approvals.get(id);
  if (approval === undefined) return { kind: 'closed', approval };
  requireDecider(approval, caller);
  const run = await services.runs.get(id);
  // It was approved, but that could not be stored.
  if (run) return { kind: 'closed', approval: { ...approval, state: 'approved', decidedAt: run.begunAt } };
  const isOpen = approval.state === 'asking' || approval.state === 'asked';
  return isOpen && approval.expiresAt > services.now() ? { kind: 'waiting', approval } : { kind: 'closed', approval };
}

/** One decision at a time. Later ones find the request closed. */
function decide(
  { id, caller }: { id: string; caller: Caller },
  services: GovernanceServices,
  work: (approval: Approval) => Promise<Decided>,
): Promise<Decided> {
  return services.exclusively(`approval:${id}`, async () => {
    const found = await findWaiting({ id, caller }, services);
    return found.kind === 'waiting' ? work(found.approval) : found;
  });
}

async function readAccount(
  { team, user }: Caller,
  { adminAccount }: Pick<GovernanceServices, 'adminAccount'>,
): Promise<string | undefined> {
  const admin = await adminAccount({ team, user });
  if (admin?.isSignedIn !== true) throw new AccountNotLinkedError(admin === undefined ? 'never' : 'ended');
  return admin.account;
}
