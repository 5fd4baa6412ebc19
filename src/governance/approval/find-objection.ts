// Why somebody cannot decide about what somebody else asked for.
import { createHash } from 'node:crypto';
import { compareAccounts } from '../../identity/directory-account.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
import type { Approval } from './approval-store.ts';

/**
 * `own_request`, `not_named`: by the people in Slack. `not_as_shown`: what is kept is not what the approver was shown.
 * The others are about accounts of the directory.
 */
export type Objection = 'own_request' | 'not_named' | 'approver_unknown' | 'same_account' | 'not_as_shown';

/** Whoever may not even reject it; undefined where they may. */
export function findObjection(
  { by, approver }: Pick<Approval, 'by' | 'approver'>,
  clicker: Pick<Caller, 'team' | 'user'>,
): 'own_request' | 'not_named' | undefined {
  if (clicker.team === by.team && clicker.user === by.user) return 'own_request';
  return clicker.team === by.team && clicker.user === approver ? undefined : 'not_named';
}

/**
 * Why the named approver cannot approve it; undefined where they can. Compares with the account that it was asked with: the
 * requester may have signed out since, and be signed in as the approver.
 *
 * `account`: of the approver, as they are signed in now. `shown`: the hash of what they were shown.
 */
export function findApprovalObjection(
  approval: Approval,
  { account, shown }: { account: string | undefined; shown: string },
): Objection | undefined {
  const accounts = compareAccounts(approval.account, account);
  if (accounts === 'unknown') return 'approver_unknown';
  if (accounts === 'same') return 'same_account';
  return shown === hashShown(approval) ? undefined : 'not_as_shown';
}

/** Over all that is approved: the plan's hash, and for whom, by whom and why. It goes with the button. */
export function hashShown({ id, by, account, approver, reason, plan }: Approval): string {
  const { edits, items } = plan;
  const shown = toCanonicalJson({ id, by, account, approver, reason, edits, items });
  return createHash('sha256').update(shown).digest('base64url');
}
