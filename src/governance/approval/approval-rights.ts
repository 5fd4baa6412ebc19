// Who may decide about an approval: the rights of both people, checked when it is asked for and again when it is approved.
import { createHash } from 'node:crypto';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { toCanonicalJson } from '../../canonical-json.ts';
import { codeOf } from '../../errors.ts';
import { compareAccounts } from '../../identity/directory.ts';
import { type Plan, targetOf } from '../plan/plan.ts';
import { createPacedSession } from '../run/paced-session.ts';
import { requireChannelRights } from '../run/run-rights.ts';
import type { GovernanceServices } from '../services.ts';
import { type AccessPorts, type AccountPorts, requireAdmin } from '../shell/access.ts';
import { isNotAdmin, SentenceError } from '../shell/admin-failure.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { Approval } from './approval-store.ts';

/**
 * Throws if the service does not let this account read all that is changed, or is down. Without this check, somebody could
 * ask with an account without rights and approve with their administrator's account.
 */
export async function requireReadable(
  { items, edits }: Plan,
  session: AdminSession,
  { stopping }: Pick<GovernanceServices, 'stopping'>,
): Promise<void> {
  const { findAgents, readAllocation } = createPacedSession(session, stopping);
  const reads = new Map<string, () => Promise<unknown>>();
  for (const target of [...edits.map((edit) => edit.target), ...items.map(targetOf)]) {
    if (!('environmentId' in target)) continue;
    const { environmentId } = target;
    const key = environmentId.toLowerCase();
    if ('agentId' in target) reads.set(`agents ${key}`, () => findAgents({ environmentId }));
    else reads.set(`credits ${key}`, () => readAllocation(environmentId));
  }
  await Promise.all([...reads.values()].map((read) => read()));
}

const REQUESTER_GONE =
  'The person who asked for this is not an administrator of this app any more, so nothing was done. You can reject it.';

const APPROVER_CHANGED = 'You signed in with another account meanwhile, so nothing was done. Press Approve again.';

/** The requester may have lost the right to ask since. */
export async function requireStillAdmin(
  { by, plan }: Pick<Approval, 'by' | 'plan'>,
  ports: AccessPorts,
): Promise<void> {
  try {
    await requireAdmin(by, ports, { isCounted: false });
    await requireChannelRights(plan.edits, by, ports);
  } catch (error) {
    throw isNotAdmin(error) || codeOf(error) === 'not_admin_of_all'
      ? new SentenceError('requester_gone', REQUESTER_GONE)
      : error;
  }
}

/**
 * Call it after the session was used. The approver may have signed in with another account meanwhile, such as the one that
 * asked for the change, and the session would use that account.
 */
export async function requireSameAccount(
  { team, user }: Caller,
  account: string | undefined,
  { adminAccount }: AccountPorts,
): Promise<void> {
  const admin = await adminAccount({ team, user });
  if (admin?.account !== account) throw new SentenceError('approver_changed', APPROVER_CHANGED);
}

/** Why somebody cannot decide about a request. The first two may not even reject it. */
const REFUSALS = {
  own_request: 'You asked for this yourself. Somebody else has to approve it.',
  not_named: 'Another administrator was asked to approve this, so you cannot decide about it. Nothing was done.',
  approver_unknown:
    'Nothing was done: this app does not know which account you are signed in with, so it cannot tell you from the requester. Sign in again.',
  same_account:
    'Nothing was done: you sign in to the administrative service with the same account as the requester. Somebody else has to be asked.',
  not_as_shown:
    'Nothing was done: the stored request is not what this message shows. Reject it, and have it asked for again.',
};

function refuse(code: keyof typeof REFUSALS): never {
  throw new SentenceError(code, REFUSALS[code]);
}

/** Compares the users of Slack. Throws a SentenceError. */
export function requireDecider({ by, approver }: Pick<Approval, 'by' | 'approver'>, clicker: Caller): void {
  if (clicker.team === by.team && clicker.user === by.user) refuse('own_request');
  if (clicker.team !== by.team || clicker.user !== approver) refuse('not_named');
}

/**
 * Compares the accounts of the directory, with the requester's as it was when they asked: since then, they may have signed
 * in as the approver. Throws a SentenceError.
 *
 * `account`: of the approver, as they are signed in now. `shown`: the hash of what they were shown.
 */
export function requireApprovable(
  approval: Approval,
  { account, shown }: { account: string | undefined; shown: string },
): void {
  const accounts = compareAccounts(approval.account, account);
  if (accounts === 'unknown') refuse('approver_unknown');
  if (accounts === 'same') refuse('same_account');
  if (shown !== hashShown(approval)) refuse('not_as_shown');
}

/** The hash of everything that is approved: the changes, the people and the reason. The buttons carry it. */
export function hashShown({ id, by, account, approver, reason, plan }: Approval): string {
  const { edits, items } = plan;
  const shown = toCanonicalJson({ id, by, account, approver, reason, edits, items });
  return createHash('sha256').update(shown).digest('base64url');
}
