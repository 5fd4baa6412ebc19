// The window that *Good answer* and *Bad answer* open, and the message about it in FEEDBACK_CHANNEL.
import type { AnyBlock, ModalView } from '@slack/types';
import { FEEDBACK_REASONS, type FeedbackReason, type Verdict } from '../../conversation/turn.ts';
import type { Texts } from '../../languages/english.ts';
import { cutPlain, SECTION_LIMIT, splitPlain } from '../text-out/message-budget.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';
import { CALLBACKS } from './callbacks.ts';
import { buildNote, buildPlainSection, buildSection, type Content, fitBlocks, toContent } from './content.ts';
import { buildCheckboxes, buildTextField, readFields, type Submitted } from './fields.ts';
import { buildModal, type ModalTopic } from './modal.ts';

const REASONS = 'feedback_reasons';
const COMMENT = 'feedback_comment';
const TEXT = 'feedback_text';

const MAX_COMMENT = 1_000;

/** What somebody thinks of an answer. `withText`: the person shares the question and the answer with it. */
export type Feedback = {
  turnId: string;
  verdict: Verdict;
  reasons: FeedbackReason[];
  comment: string;
  withText: boolean;
};

/** The parts of the window: comments need FEEDBACK_CHANNEL, and only the asker may pass the answer on. */
export type FeedbackOffer = { comment: boolean; text: boolean };

export function toFeedbackTopic(verdict: Verdict, { feedback, controls }: Texts): ModalTopic {
  const title = verdict === 'good' ? feedback.good : feedback.bad;
  return { id: CALLBACKS.feedback, title, loading: controls.loading };
}

export function buildFeedbackWindow(
  { turnId, verdict }: Pick<Feedback, 'turnId' | 'verdict'>,
  offer: FeedbackOffer,
  texts: Texts,
): ModalView {
  const words = texts.feedback;
  const reasons = FEEDBACK_REASONS.map((value): [string, string] => [value, words.reasons[value]]);
  const toField = (name: string, label: string, hint?: string) => ({
    name,
    label,
    isOptional: true,
    ...(hint && { hint }),
  });
  const blocks: AnyBlock[] = [buildSection(words.intro)];
  if (verdict === 'bad') blocks.push(buildCheckboxes(toField(REASONS, words.whatWasWrong), reasons));
  if (offer.comment) {
    blocks.push(buildTextField(toField(COMMENT, words.comment, words.commentHint), { most: MAX_COMMENT }));
  }
  // Never ticked beforehand.
  if (offer.text) blocks.push(buildCheckboxes(toField(TEXT, words.text, words.sendHint), [['send', words.send]]));
  const { id, title } = toFeedbackTopic(verdict, texts);
  return buildModal({ id, title, submit: words.submit, metadata: `${verdict} ${turnId}` }, blocks, texts);
}

/** Undefined: this is not from one of our windows. */
export function readFeedback(view: Submitted): Feedback | undefined {
  const clicked = readVerdict(view.private_metadata);
  const { text, ticked } = readFields(view);
  return (
    clicked && {
      ...clicked,
      reasons: FEEDBACK_REASONS.filter((reason) => ticked(REASONS).includes(reason)),
      comment: text(COMMENT),
      withText: ticked(TEXT).includes('send'),
    }
  );
}

/** The value of a button under an answer: the verdict and the id of the turn. */
export function readVerdict(value: unknown): Pick<Feedback, 'turnId' | 'verdict'> | undefined {
  const [verdict, turnId = ''] = typeof value === 'string' ? value.split(' ') : [];
  return (verdict === 'good' || verdict === 'bad') && turnId !== '' ? { verdict, turnId } : undefined;
}

export function buildThanks(verdict: Verdict, texts: Texts): ModalView {
  const { id, title } = toFeedbackTopic(verdict, texts);
  return buildModal({ id: `${id}_thanks`, title }, [buildSection(texts.feedback.sent)], texts);
}

const REASON_WORDS: Record<FeedbackReason, string> = {
  wrong: 'wrong',
  outdated: 'out of date',
  wrong_source: 'wrong source',
  not_helpful: 'not helpful',
  too_slow: 'too slow',
  other: 'other',
};

/**
 * `unreadable`: the person shared them, but Slack did not let us read them; `guests`: guests read FEEDBACK_CHANNEL, or
 * may do so.
 */
export type SaidAlong = { question: string; answer: string } | 'unreadable' | 'guests' | undefined;

/** The message in FEEDBACK_CHANNEL, without the name of the person who gave the feedback. */
export function buildFeedbackMessage(
  { turnId, verdict, reasons, comment }: Feedback,
  said: SaidAlong,
  requestId: string | undefined,
): Content {
  const words = reasons.map((reason) => REASON_WORDS[reason]).join(', ');
  const head = `*${verdict === 'good' ? 'Good' : 'Bad'} answer*${words && `: ${words}`}`;
  const ids = [turnId, requestId].flatMap((id) => (id ? `\`${escapeMrkdwn(id)}\`` : [])).join(' · ');
  const blocks: AnyBlock[] = [buildSection(head)];
  if (comment) blocks.push(toQuoted(comment));
  if (said === 'unreadable' || said === 'guests') blocks.push(buildSection(LEFT_OUT[said]));
  else if (said) {
    blocks.push(buildSection('*Question*'), toQuoted(said.question));
    blocks.push(
      buildSection('*Answer*'),
      ...splitPlain(cutPlain(said.answer, MAX_ANSWER), SECTION_LIMIT).map(toQuoted),
    );
  }
  blocks.push(buildNote(ids));
  return toContent(fitBlocks(blocks));
}

const LEFT_OUT = {
  unreadable: '_The question and the answer are left out: they could not be read._',
  guests: '_The question and the answer are left out: guests read this channel, or may do so._',
};

const MAX_ANSWER = 3 * SECTION_LIMIT;

function toQuoted(text: string): AnyBlock {
  return buildPlainSection(cutPlain(text, SECTION_LIMIT) || '…');
}
