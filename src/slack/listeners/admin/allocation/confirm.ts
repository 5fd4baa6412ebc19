import type { ModalView } from '@slack/types';
import type { AllocationPlan } from '../../../../governance/allocations/allocation-plan.ts';
import { needsSecondApprover } from '../../../../governance/changes/change.ts';
import type { Confirming } from '../../../../governance/confirmation/confirmation-modal.ts';
import { type KeepPorts, keepChange } from '../../../../governance/shell/modal-state.ts';
import type { TimeZones } from '../../../../governance/shell/respond.ts';
import { buildAllocationConfirmation } from '../../../views/admin/allocation/confirm.ts';

type Given = { environmentName?: string | undefined };

/** `needsApproval`: REQUIRE_SECOND_APPROVER. */
export type AllocationConfirmPorts = KeepPorts & TimeZones & { needsApproval: boolean };

/**
 * The last look at a change of credits, to be pushed on top of a form, or else to be shown in a modal that is open. What is
 * confirmed there is carried out by registerChangeConfirm. Throws StoreUnavailableError.
 */
export async function toAllocationConfirm(
  plan: AllocationPlan,
  { caller, environmentName, reason, replyTo }: Confirming & Given,
  ports: AllocationConfirmPorts,
  isPushed = true,
): Promise<ModalView> {
  const [changeId, timeZone] = await Promise.all([
    keepChange({ kind: 'allocation', plan, environmentName }, ports),
    ports.timeZone(caller),
  ]);
  return buildAllocationConfirmation(plan, {
    environmentName,
    changeId,
    timeZone,
    reason,
    replyTo,
    isPushed,
    needsApprover: needsSecondApprover(plan, ports),
  });
}
