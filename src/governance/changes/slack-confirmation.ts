// Asks an admin to confirm a change; what was planned is kept meanwhile.
import type { ModalView } from '@slack/types';
import type { Caller } from '../shell/admin-rules.ts';
import { type KeepPorts, keep, readKept } from '../shell/modal-state.ts';
import type { TimeZones } from '../shell/respond.ts';
import { needsSecondApprover } from './change.ts';
import type { ChangeKind, ChangePlan, PlannedChange } from './change-kind.ts';

/** Who is to confirm, and what is known already. */
export type Confirming = {
  caller: Caller;
  /** To begin with; the admin may say it otherwise. */
  reason?: string | undefined;
  /** See say.ts. */
  replyTo?: string | undefined;
};

/** `needsApproval`: REQUIRE_SECOND_APPROVER. */
export type ConfirmPorts = KeepPorts & TimeZones & { needsApproval: boolean };

/**
 * The last look at a change, to be pushed on top of a form, or else to be shown in a modal that is open. What is confirmed
 * there is carried out by registerChangeConfirm. Throws StoreUnavailableError.
 */
export async function toConfirmation<Plan extends ChangePlan>(
  { buildConfirmation }: Pick<ChangeKind<Plan>, 'buildConfirmation'>,
  change: PlannedChange<Plan>,
  { caller, reason, replyTo }: Confirming,
  ports: ConfirmPorts,
  isPushed = true,
): Promise<ModalView> {
  const [changeId, timeZone] = await Promise.all([keep('plan', change, ports), ports.timeZone(caller)]);
  const needsApprover = needsSecondApprover(change.plan, ports);
  return buildConfirmation(change, { changeId, timeZone, reason, replyTo, isPushed, needsApprover });
}

/** By the id of the change. Undefined: too old. It stays: confirmed twice, it is one change. Throws StoreUnavailableError. */
export function readPlannedChange(id: string, ports: Pick<KeepPorts, 'approvals'>): Promise<PlannedChange | undefined> {
  return readKept<PlannedChange>('plan', id, ports);
}
