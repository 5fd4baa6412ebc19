// The second look at a change of an environment's credits.
import type { ModalView } from '@slack/types';
import type { AllocationPlan } from '../../../../governance/allocations/allocation-plan.ts';
import { describeAllocationRows, describeKept } from '../../../../governance/allocations/allocation-words.ts';
import { describeEnvironment } from '../../../../governance/inventory/inventory-words.ts';
import { formatCredits } from '../../../../governance/shell/values.ts';
import { buildSection } from '../../content.ts';
import { buildChangeConfirmation, type ConfirmOptions } from '../change-confirm.ts';

/** callback_id of the confirmation. */
export const ALLOCATION_CONFIRM_MODAL = 'admin_allocation_confirm';

/** Leaves room for the rest within the blocks of a modal, and of a message: see isConfirmable. */
export const MAX_CURRENCIES = 30;

export function buildAllocationConfirmation(
  plan: AllocationPlan,
  { environmentName, ...options }: ConfirmOptions & { environmentName?: string | undefined },
): ModalView {
  const kept = describeKept(plan);
  return buildChangeConfirmation(
    {
      callbackId: ALLOCATION_CONFIRM_MODAL,
      blocks: [
        buildSection(describeEnvironment(plan.environmentId, environmentName)),
        ...listAllocationRows(plan).map(buildSection),
      ],
      warnings: plan.warnings,
      notes: [...LOOSENS[`${plan.loosens}`], ...(kept === undefined ? [] : [kept])],
      changes: plan.changes,
    },
    options,
  );
}

/** In mrkdwn, a section each. Of several currencies those that stay as they are are left out. */
export function listAllocationRows({ rows }: Pick<AllocationPlan, 'rows'>): string[] {
  const changed = new Set(rows.filter(({ isChanged }) => isChanged).map(({ currencyType }) => currencyType));
  const shown = changed.size === 0 ? rows : rows.filter(({ currencyType }) => changed.has(currencyType));
  const texts = describeAllocationRows({ rows: shown });
  const more = texts.length - MAX_CURRENCIES;
  return [...texts.slice(0, MAX_CURRENCIES), ...(more > 0 ? [`And ${formatCredits(more)} more currencies.`] : [])];
}

const LOOSENS = {
  true: ['This allows more to be spent than before.'],
  false: [],
  unknown: ['Whether this allows more than before cannot be told: the service does not say what holds now.'],
};
