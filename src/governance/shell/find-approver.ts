// Whether somebody can be the second administrator for somebody else.
import { compareAccounts } from '../../identity/directory-account.ts';
import { type AccessPorts, type AccountPorts, NotAdminError, requireOtherAdmin } from './access.ts';
import type { Caller } from './admin-rules.ts';

/** Why somebody cannot be the second admin for `by`, in plain text; undefined where they can. Throws AdminCheckFailedError. */
export async function findApproverProblem(
  approver: string | undefined,
  by: Caller,
  ports: AccessPorts & AccountPorts,
): Promise<string | undefined> {
  if (approver === undefined) return PICK_SOMEBODY;
  if (approver === by.user) return YOURSELF;
  try {
    await requireOtherAdmin({ by, user: approver }, ports);
  } catch (error) {
    if (error instanceof NotAdminError) return NO_ADMIN;
    throw error;
  }
  return findAccountProblem(approver, by, ports);
}

/** Who never signed in may be chosen: the accounts are compared when they approve. */
async function findAccountProblem(
  approver: string,
  { team, user }: Caller,
  { adminAccount }: AccountPorts,
): Promise<string | undefined> {
  const [own, other] = await Promise.all([user, approver].map((one) => adminAccount({ team, user: one })));
  if (own?.account === undefined) return OWN_UNKNOWN;
  const accounts = compareAccounts(own.account, other?.account);
  if (accounts === 'same') return SAME_ACCOUNT;
  return accounts === 'unknown' && other?.isSignedIn ? OTHER_UNKNOWN : undefined;
}

const PICK_SOMEBODY = 'Choose the administrator who is to approve this.';

const YOURSELF = 'Choose somebody else: nobody approves their own change.';

const NO_ADMIN = 'This is not an administrator of this app. Choose somebody who may use /assistant-admin.';

const SAME_ACCOUNT =
  'Choose somebody else: this is you under another name. Both of you sign in to the administrative service with the same account.';

/** Also said where somebody asks with an account that is not known. */
export const OWN_UNKNOWN =
  'This app does not know which account you are signed in with, so it cannot tell you from an approver. Sign in again with /assistant-admin sign-in, and then ask again.';

const OTHER_UNKNOWN =
  'This app does not know which account they are signed in with. Ask them to sign in again with /assistant-admin sign-in, or choose somebody else.';
