// The second look at a change of a limit.
import type { ModalView } from '@slack/types';
import { describeAgent } from '../../../../governance/inventory/inventory-words.ts';
import type { LimitPlan } from '../../../../governance/limits/limit-plan.ts';
import { describeSource } from '../../../../governance/limits/limit-words.ts';
import { buildSection } from '../../content.ts';
import { buildChangeConfirmation, type ConfirmOptions, describeRow } from '../change-confirm.ts';

/** callback_id of the confirmation. */
export const LIMIT_CONFIRM_MODAL = 'admin_limit_confirm';

export function buildLimitConfirmation(plan: LimitPlan, options: ConfirmOptions): ModalView {
  const { agent, before: known, rows, warnings } = plan;
  return buildChangeConfirmation(
    {
      callbackId: LIMIT_CONFIRM_MODAL,
      blocks: [buildSection(describeAgent(agent)), buildSection(rows.map(describeRow).join('\n'))],
      warnings,
      notes: [
        describeSource(known, options.timeZone),
        'The limit is for this agent alone: it caps neither its users nor the whole of its environment.',
      ],
      changes: rows.some(({ isChanged }) => isChanged),
    },
    options,
  );
}
