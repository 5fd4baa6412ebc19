// The modals of what can be done about a finding: what they have in common.
import type { AnyBlock, InputBlock, ModalView, PlainTextElement } from '@slack/types';
import { buildApproverInput } from '../../slack/views/admin/approval/approver-field.ts';
import { buildPlainText, buildSection } from '../../slack/views/content.ts';
import type { ModalTopic } from '../../slack/views/modal.ts';

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

/** The end of a form about a decision: who approves it, where a second admin has to. */
export function buildDecisionApprover(needsApprover: boolean): InputBlock[] {
  return needsApprover ? [buildApproverInput(APPROVER_HINT)] : [];
}

/** `own`: the label where nobody else is asked. */
export function buildDecisionSubmit(own: string, needsApprover: boolean): PlainTextElement {
  return buildPlainText(needsApprover ? 'Ask for approval' : own);
}

/** Where there is nothing more to fill in. */
export function buildReviewNotice(blocks: AnyBlock[], { id, title }: ModalTopic): ModalView {
  return {
    type: 'modal',
    callback_id: `${id}_notice`,
    title: buildPlainText(title),
    close: buildPlainText('Close'),
    clear_on_close: true,
    blocks,
  };
}

/** Takes the place of a form that was submitted. */
export function buildReviewWorking(sentence: string, { id, title }: ModalTopic): ModalView {
  return {
    type: 'modal',
    callback_id: `${id}_working`,
    title: buildPlainText(title),
    close: buildPlainText('Close'),
    clear_on_close: true,
    blocks: [buildSection(sentence)],
  };
}
