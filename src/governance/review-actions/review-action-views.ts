// The modals of what can be done about a finding: what they have in common.

import type { AnyBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_METADATA_LENGTH } from '../../slack/web/limits.ts';
import { placeSchema } from '../review/review-buttons.ts';
import { buildApproverInput, buildReasonInput } from '../shell/form-fields.ts';
import { buildEndModal } from '../shell/modal.ts';
import { parseState } from '../shell/modal-state.ts';

const APPROVER_HINT =
  'It approves more than the register does. It is recorded once another administrator approves it; they have 24 hours.';

// Carried in `private_metadata`; parsed strictly, because it decides what is acted on.
const stateSchema = z.object({
  schema: z.literal(1),
  id: z.string().min(1),
  place: placeSchema,
  replyTo: z.string().optional(),
  settings: z.array(z.string()).optional(),
});

/**
 * `id`: one per modal that was opened, so that a form that is sent twice is one decision. `replyTo`: where
 * the admin is answered in the end. `settings`: what is to be corrected, where the admin chose.
 */
export type ReviewFormState = Omit<z.infer<typeof stateSchema>, 'schema'>;

type ReviewFormParts = {
  submit: string;
  blocks: KnownBlock[];
  state: ReviewFormState;
  /** Default: toFormId's. */
  callbackId?: string;
};

export function buildReviewForm(
  topic: ModalTopic,
  { submit, blocks, state, callbackId = toFormId(topic) }: ReviewFormParts,
): ModalView {
  return {
    type: 'modal',
    callback_id: callbackId,
    title: buildPlainText(topic.title),
    submit: buildPlainText(submit),
    close: buildPlainText('Cancel'),
    private_metadata: encodeReviewForm(state),
    blocks,
  };
}

export function toFormId({ id }: ModalTopic): string {
  return `${id}_form`;
}

/** Throws if it does not fit. A place that came in a button fits. */
export function encodeReviewForm({ id, place, replyTo, settings }: ReviewFormState): string {
  const text = JSON.stringify({ schema: 1, id, place, replyTo, settings });
  if (text.length > MAX_METADATA_LENGTH) throw new RangeError('the state of a modal does not fit into it');
  return text;
}

/** Undefined if encodeReviewForm did not write it. */
export function parseReviewForm(text: string): ReviewFormState | undefined {
  return parseState(stateSchema, text);
}

/** `foot`: below the reason. `needsApprover`: a second admin has to approve the decision, so the form asks who. */
export function buildDecisionForm(
  topic: ModalTopic,
  parts: Omit<ReviewFormParts, 'callbackId'> & { foot?: KnownBlock[]; needsApprover?: boolean | undefined },
): ModalView {
  const { submit, blocks, foot = [], state, needsApprover = false } = parts;
  const approver = needsApprover ? [buildApproverInput(APPROVER_HINT)] : [];
  return buildReviewForm(topic, {
    submit: needsApprover ? 'Ask for approval' : submit,
    blocks: [...blocks, buildReasonInput(), ...approver, ...foot],
    state,
  });
}

/** When there is nothing more to fill in. */
export function buildReviewNotice(blocks: AnyBlock[], { id, title }: ModalTopic, suffix = 'notice'): ModalView {
  return buildEndModal(`${id}_${suffix}`, title, blocks);
}

/** Replaces a form that was submitted. */
export function buildReviewWorking(sentence: string, topic: ModalTopic): ModalView {
  return buildReviewNotice([buildSection(sentence)], topic, 'working');
}
