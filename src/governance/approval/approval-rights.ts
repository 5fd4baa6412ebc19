// The rights of the two people of an approval, checked when it is asked for and again when it is approved.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Plan } from '../plan/plan.ts';
import { type AccessPorts, type AccountPorts, NotAdminError, requireAdmin } from '../shell/access.ts';
import type { Caller } from '../shell/admin-rules.ts';
import { SentenceError } from '../shell/failure-message.ts';

/**
 * Else somebody could ask with an account without rights, and approve with their administrator's account. Throws the refusal
 * of the service where they may not look at what is asked for, and where it is down.
 */
export async function requireRights({ items, edits }: Plan, session: AdminSession): Promise<void> {
  const [item] = items;
  if (item?.resource === 'threshold')
    return void (await session.findAgents({ environmentId: item.agent.environmentId }));
  if (item !== undefined) return void (await session.readAllocation(item.environmentId));
  const target = edits.map((edit) => edit.target).find((one) => 'environmentId' in one);
  if (target !== undefined) await session.readAllocation(target.environmentId);
}

const REQUESTER_GONE =
  'Who asked for this is not an administrator of this app any more, so nothing was done. You can reject it.';

const APPROVER_CHANGED = 'You signed in with another account meanwhile, so nothing was done. Press Approve again.';

/** A right to ask may have ended since. */
export async function requireStillAdmin(by: Caller, ports: AccessPorts): Promise<void> {
  try {
    await requireAdmin(by, ports, { isCounted: false });
  } catch (error) {
    throw error instanceof NotAdminError ? new SentenceError('requester_gone', REQUESTER_GONE) : error;
  }
}

/**
 * After the session was used: its token may be of an account that they signed in with since, such as the one that the
 * change was asked for with.
 */
export async function requireSameAccount(
  { team, user }: Caller,
  account: string | undefined,
  { adminAccount }: AccountPorts,
): Promise<void> {
  const admin = await adminAccount({ team, user });
  if (admin?.account !== account) throw new SentenceError('approver_changed', APPROVER_CHANGED);
}
