// The modals of what can be done about a finding: what they have in common.
import type { AnyBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';
import { MAX_METADATA_LENGTH } from '../../slack/web/limits.ts';
import { buildApproverInput, buildReasonInput } from '../shell/blocks.ts';

export const CORRECT_TOPIC: ModalTopic = {
  id: 'admin_review_correct',
  title: 'Correct drift',
  loading: 'Looking at what is there now…',
};

export const CORRECT_PAGE_TOPIC: ModalTopic = {
  id: 'admin_review_correct_page',
  title: 'Correct this page',
  loading: 'Looking at what is there now, for each finding of this page…',
};

const APPROVER_HINT =
  'It approves more than the register does. It is recorded once another administrator approves it; they have 24 hours.';

export function toFormId({ id }: ModalTopic): string {
  return `${id}_form`;
}

type ReviewFormParts = {
  submit: string;
  blocks: KnownBlock[];
  state: ReviewFormState;
  /** Where it is left out, toFormId's. */
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

/** Where there is nothing more to fill in. */
export function buildReviewNotice(blocks: AnyBlock[], { id, title }: ModalTopic, suffix = 'notice'): ModalView {
  return {
    type: 'modal',
    callback_id: `${id}_${suffix}`,
    title: buildPlainText(title),
    close: buildPlainText('Close'),
    clear_on_close: true,
    blocks,
  };
}

/** Takes the place of a form that was submitted. */
export function buildReviewWorking(sentence: string, topic: ModalTopic): ModalView {
  return buildReviewNotice([buildSection(sentence)], topic, 'working');
}

// Carried in `private_metadata`; parsed strictly, because it decides what is acted on.
const stateSchema = z.object({
  schema: z.literal(1),
  id: z.string().min(1),
  place: z.object({ report: z.string(), page: z.int().min(0), key: z.string() }),
  replyTo: z.string().optional(),
});

/**
 * `id`: one per modal that was opened, so that a form that is sent twice is one decision. `replyTo`: where
 * the admin is answered in the end.
 */
export type ReviewFormState = Omit<z.infer<typeof stateSchema>, 'schema'>;

/** Throws where it does not fit: a place that came in a button does. */
export function encodeReviewForm({ id, place, replyTo }: ReviewFormState): string {
  const text = JSON.stringify({ schema: 1, id, place, replyTo });
  if (text.length > MAX_METADATA_LENGTH) throw new RangeError('the state of a modal does not fit into it');
  return text;
}

/** Undefined where it was not written by encodeReviewForm. */
export function parseReviewForm(text: string): ReviewFormState | undefined {
  try {
    return stateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
