// The second look at a change: old → new, what it would break, Confirm or Back.
import type { ModalView } from '@slack/types';
import type { StopDecision } from '../../../governance/limit.ts';
import type { LimitPlan } from '../../../governance/limit-plan.ts';
import type { PlanRow } from '../../../governance/plan-rows.ts';
import { encodeLimitState } from './limit-metadata.ts';
import { buildPlainText, buildSection, describeAgent, describeSource } from './limit-words.ts';

/** callback_id of the confirmation; its private_metadata is read by parseLimitConfirmState. */
export const LIMIT_CONFIRM_MODAL = 'admin_limit_confirm';

export type ConfirmOptions = {
  timeZone: string;
  /** One per confirmation shown: submitting it twice is one change. */
  changeId: string;
  stopDecision: StopDecision | undefined;
  replyTo?: string | undefined;
};

/** To be pushed on top of the form: its close button leads back there. */
export function buildConfirmModal(plan: LimitPlan, options: ConfirmOptions): ModalView {
  const { agent, before: known, after, rows, warnings } = plan;
  const { timeZone, changeId, stopDecision, replyTo } = options;
  const { stopped: _, ...wanted } = after;
  const isSame = rows.every(({ isChanged }) => !isChanged);
  return {
    type: 'modal',
    callback_id: LIMIT_CONFIRM_MODAL,
    title: buildPlainText('Confirm the change'),
    submit: buildPlainText('Confirm'),
    close: buildPlainText('Back'),
    private_metadata: encodeLimitState({ agent, known, wanted, stopDecision, changeId, replyTo }),
    blocks: [
      buildSection(describeAgent(agent)),
      buildSection(rows.map(describeRow).join('\n')),
      ...(isSame ? [buildSection('This is what is set already: nothing would change.')] : []),
      ...(warnings.length === 0 ? [] : [buildSection(warnings.map(({ text }) => `:warning: ${text}`).join('\n'))]),
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: describeSource(known, timeZone), verbatim: true },
          {
            type: 'mrkdwn',
            text: 'The limit is for this agent alone: it caps neither its users nor the whole of its environment.',
          },
        ],
      },
    ],
  };
}

/** old → new, or what stays, once. */
export function describeRow({ label, before, after, isChanged }: PlanRow): string {
  return isChanged ? `${label}: ${before} → *${after}*` : `${label}: ${after} (unchanged)`;
}
