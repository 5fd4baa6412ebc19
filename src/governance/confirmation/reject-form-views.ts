// *Reject* of a request for approval: the form that asks why, and what is shown once it is rejected.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { buildPlainText, buildSection, formatTime, shortenLines, toMrkdwnName } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildReasonInput } from '../shell/form-fields.ts';
import { buildEndModal } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';
import { describeAsked } from './approval-views.ts';
import { isDecision, type Pending } from './pending-change.ts';

/** `id`: see REJECT_ACTION. */
export const REJECT_TOPIC: ModalTopic = {
  id: 'admin_approval_reject',
  title: 'Reject the request',
  loading: 'Looking up the request…',
};

/** callback_id of the form; its private_metadata is read by parseRejectState. */
export const REJECT_FORM = 'admin_approval_reject_form';

const stateSchema = z.object({ schema: z.literal(1), id: z.string().min(1), replyTo: z.string() });

/** `id`: of the request. `replyTo`: where it was clicked, see respond.ts. */
type RejectState = Omit<z.infer<typeof stateSchema>, 'schema'>;

/** Undefined where it is not the private_metadata of this form. */
export function parseRejectState(text: string): RejectState | undefined {
  return parseState(stateSchema, text);
}

export function buildRejectForm(pending: Pending, { id, replyTo }: RejectState): ModalView {
  const { by, reason } = pending;
  const asked = `<@${by.user}> asked you to approve ${describeAsked(pending.planned, 'a')}.`;
  const note = `<@${by.user}> gets your reason in a direct message. ${describeUnchanged(pending)}`;
  return {
    type: 'modal',
    callback_id: REJECT_FORM,
    title: buildPlainText(REJECT_TOPIC.title),
    submit: buildPlainText('Reject'),
    close: buildPlainText('Cancel'),
    private_metadata: JSON.stringify({ schema: 1, id, replyTo }),
    blocks: [
      buildSection(`${asked}\n${describeReason('Their reason', reason)}`),
      buildReasonInput(),
      buildNotes([note]),
    ],
  };
}

/** Takes the place of the form. `sentence`: mrkdwn. */
export function buildRejectEnd(sentence: string): ModalView {
  return buildEndModal('admin_approval_reject_end', REJECT_TOPIC.title, [buildSection(sentence)]);
}

/** What the approver reads in the place of the buttons; mrkdwn. `at`: epoch ms. */
export function describeRejected(
  pending: Pending,
  { reason, at, timeZone }: { reason: string; at: number; timeZone: string },
): string {
  const when = `:x: You rejected this on ${formatTime(at, timeZone)}. ${describeUnchanged(pending)}`;
  return `${when}\n${describeReason('Your reason', reason)}`;
}

/** It leaves room for the rest of a section. */
function describeReason(label: string, reason: string): string {
  return shortenLines(`${label}: ${toMrkdwnName(reason, 500)}`, 1_000);
}

function describeUnchanged(pending: Pending): string {
  return isDecision(pending) ? 'Nothing was recorded.' : 'Nothing was changed.';
}
