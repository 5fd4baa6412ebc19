// *Approve limit…*: what limit an agent is to have that the register says nothing about.
import type { InputBlock, ModalView } from '@slack/types';
import type { GovernedAgent, KnownLimit } from '../../../../governance/inventory/agent-limit.ts';
import { describeAgent } from '../../../../governance/inventory/inventory-words.ts';
import {
  buildCheckbox,
  buildTextInput,
  FIELDS,
  readLimitForm,
  type ViewValues,
} from '../../../../governance/limits/limit-form-views.ts';
import { describeKnownLimit, describeSource } from '../../../../governance/limits/limit-words.ts';
import type { ApprovedLimitForm } from '../../../../governance/review/approved-limit-form.ts';
import { APPROVE_LIMIT_TOPIC } from '../../../../governance/review/decided-views.ts';
import {
  buildDecisionApprover,
  buildDecisionSubmit,
} from '../../../../governance/review-actions/review-action-views.ts';
import { buildPlainText, buildSection } from '../../content.ts';
import { buildReasonInput } from '../reason-field.ts';
import { encodeReviewForm, type ReviewFormState } from './metadata.ts';

export const APPROVE_LIMIT_FORM = `${APPROVE_LIMIT_TOPIC.id}_form`;

/** The block id. */
const NONE_FIELD = 'no_limit';

/** Ours, where nothing else is known. */
const DEFAULT_ALERT_AT = 80;

/**
 * Filled in with what is set now, where that is known: most often that is what is to be approved. `needsApprover`: a second
 * admin has to approve it, and is asked for.
 */
export function buildApproveLimitModal(
  agent: GovernedAgent,
  known: KnownLimit,
  { timeZone, state, needsApprover = false }: { timeZone: string; state: ReviewFormState; needsApprover?: boolean },
): ModalView {
  const old = known.source === 'deployment' || known.source === 'last_set' ? known.limit : undefined;
  return {
    type: 'modal',
    callback_id: APPROVE_LIMIT_FORM,
    title: buildPlainText(APPROVE_LIMIT_TOPIC.title),
    submit: buildDecisionSubmit('Approve', needsApprover),
    close: buildPlainText('Cancel'),
    private_metadata: encodeReviewForm(state),
    blocks: [
      buildSection(`${describeAgent(agent)}\nLimit now: ${describeKnownLimit(known, timeZone)}`),
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: `${describeSource(known, timeZone)}\nWhat you approve is what reviews compare with. The limit itself is not changed.`,
            verbatim: true,
          },
        ],
      },
      buildCheckbox(NONE_FIELD, 'No limit', 'No monthly limit is approved: the rest does not count', false),
      {
        ...buildTextInput(FIELDS.limit, 'Credits a month', {
          initial: old === undefined ? undefined : String(Math.round(old.limit)),
          hint: 'A whole number. The limit is for this agent alone; it does not cap its environment.',
        }),
        // With no limit there is nothing to enter.
        optional: true,
      } satisfies InputBlock,
      buildCheckbox(FIELDS.notify, 'Notice', 'Notify administrators before the limit is reached', old?.notify ?? true),
      {
        ...buildTextInput(FIELDS.notificationThreshold, 'Notify at (percent of the limit)', {
          initial: String(old?.notificationThreshold ?? DEFAULT_ALERT_AT),
        }),
        optional: true,
      } satisfies InputBlock,
      buildCheckbox(
        FIELDS.stopWhenReached,
        'When the limit is reached',
        'Stop the agent for everybody who uses it',
        old?.stopWhenReached ?? false,
      ),
      buildReasonInput(),
      ...buildDecisionApprover(needsApprover),
    ],
  };
}

/** As typed and ticked: parseApprovedLimit says whether it makes a limit. */
export function readApproveLimitForm(values: ViewValues): ApprovedLimitForm {
  const isNone = (values[NONE_FIELD]?.value?.selected_options ?? []).length > 0;
  const form = readLimitForm(values);
  // Where nobody is notified, the percentage that was not entered does not count.
  const threshold = form.notify ? form.notificationThreshold : form.notificationThreshold || String(DEFAULT_ALERT_AT);
  return { ...form, notificationThreshold: threshold, isNone };
}
