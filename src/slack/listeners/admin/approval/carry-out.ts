// An approved change, carried out in the name of the approver.
import type { AdminSession } from '../../../../admin-api/admin-session.ts';
import {
  type CarryOutPorts,
  carryOut,
  type EndedChange,
} from '../../../../governance/confirmation/confirmed-change.ts';
import type { PendingChange } from '../../../../governance/confirmation/pending-change.ts';
import type { Caller } from '../../../../governance/is-admin.ts';
import { lookUpLimit } from '../../../../governance/limits/known-limit.ts';
import { type AccessPorts, type Admin, NotAdminError, requireAdmin } from '../../../../governance/shell/access.ts';

/** Who asked is no admin any more. */
export class RequesterGoneError extends Error {
  readonly user: string;

  constructor(user: string) {
    super('the requester is no admin any more');
    this.user = user;
  }
}

/** In the name of the approver. Throws where nothing was sent: then the request stays open. */
export async function carryOutFor(
  pending: PendingChange,
  { caller, openSession }: Admin,
  ports: AccessPorts & CarryOutPorts,
): Promise<EndedChange> {
  const { id, by, reason, planned } = pending;
  await requireStillAdmin(by, ports);
  const session = await openSession();
  // Whoever may not even look would use up the request for a refusal; so would a service that is down.
  await look(planned, session, ports);
  const request = { changeId: id, by, reason, approvedBy: caller.user };
  return carryOut({ change: planned, request }, session, ports);
}

async function look(planned: PendingChange['planned'], session: AdminSession, ports: CarryOutPorts): Promise<void> {
  if (planned.kind === 'allocation') return void (await session.readAllocation(planned.plan.environmentId));
  const { agent, before } = planned.plan;
  await lookUpLimit(agent, { ...ports, session }, { planned: before });
}

/** A right to ask may have ended since. */
export async function requireStillAdmin(by: Caller, ports: AccessPorts): Promise<void> {
  try {
    await requireAdmin(by, ports, { isCounted: false });
  } catch (error) {
    throw error instanceof NotAdminError ? new RequesterGoneError(by.user) : error;
  }
}
