import type { ModalView } from '@slack/types';
import { needsSecondApprover } from '../../../../governance/changes/change.ts';
import type { Confirming } from '../../../../governance/confirmation/confirmation-modal.ts';
import type { LimitPlan } from '../../../../governance/limits/limit-plan.ts';
import { type KeepPorts, keepChange } from '../../../../governance/shell/modal-state.ts';
import type { TimeZones } from '../../../../governance/shell/respond.ts';
import { buildLimitConfirmation } from '../../../views/admin/limit/confirm.ts';

/** `needsApproval`: REQUIRE_SECOND_APPROVER. */
export type LimitConfirmPorts = KeepPorts & TimeZones & { needsApproval: boolean };

/**
 * The last look at a change of a limit, to be pushed on top of a form, or else to be shown in a modal that is open. What is
 * confirmed there is carried out by registerChangeConfirm. Throws StoreUnavailableError.
 */
export async function toLimitConfirm(
  plan: LimitPlan,
  { caller, reason, replyTo }: Confirming,
  ports: LimitConfirmPorts,
  isPushed = true,
): Promise<ModalView> {
  const [changeId, timeZone] = await Promise.all([keepChange({ kind: 'limit', plan }, ports), ports.timeZone(caller)]);
  return buildLimitConfirmation(plan, {
    changeId,
    timeZone,
    reason,
    replyTo,
    isPushed,
    needsApprover: needsSecondApprover(plan, ports),
  });
}
