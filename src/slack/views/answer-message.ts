import type { AnyBlock } from '@slack/types';
import type { Answer, SharedMessage } from '../../conversation/outcome.ts';
import type { ReplyForm, Turn } from '../../conversation/turn.ts';
import type { Texts } from '../../languages/english.ts';
import { textsOf } from '../../languages/texts.ts';
import {
  addSizes,
  cutPlain,
  fits,
  MESSAGE_BUDGET,
  measureBlocks,
  packBlocks,
  SECTION_LIMIT,
  SMALL_BUDGET,
  splitPlain,
} from '../text-out/message-budget.ts';
import { dropOverrides } from '../text-out/neutralise.ts';
import { toWords } from '../text-out/plain-text.ts';
import { renderMarkdown } from '../text-out/render-markdown.ts';
import {
  buildButtons,
  buildFeedback,
  buildNotes,
  buildPrivateNote,
  buildSources,
  NOTES_BLOCK,
  toPlainEnd,
  type toReason,
} from './answer-end.ts';
import { buildNote, buildPlainSection, type Content, toContent, toNoteContent } from './content.ts';

type AnsweredTurn = Pick<Turn, 'id' | 'form' | 'language'> & { question: Pick<Turn['question'], 'channel'> };

/**
 * An answer as one message, or as several if it exceeds Slack's limits, in order. The last one carries the sources, notes
 * and buttons, with the end of the text if it fits. Throws RenderTimeoutError.
 */
export async function buildAnswerMessages(
  turn: AnsweredTurn,
  answer: Answer,
  texts = textsOf(turn.language),
): Promise<Content[]> {
  const { form } = turn;
  if (form === 'plain') return buildPlainAnswer(turn, answer, texts);
  const budget = form === 'small' ? SMALL_BUDGET : MESSAGE_BUDGET;
  const parts = await renderMarkdown(answer.text, budget);
  const last = parts?.at(-1);
  if (parts === undefined || last === undefined) return buildPlainAnswer(turn, answer, texts);
  const messages = parts.map(({ text }): AnyBlock[] => [{ type: 'markdown', text }]);
  const end = buildEnd(turn, answer, texts);
  if (fits(addSizes(last.size, measureBlocks(end.flat())), budget)) messages.at(-1)?.push(...end.flat());
  else messages.push(...packBlocks(end, budget));
  return messages.map(toContent);
}

/** The note in the thread if the answer went to the asker alone. */
export function buildPrivateStub(asker: string, because: ReturnType<typeof toReason>, { answer }: Texts): Content {
  return toNoteContent(answer.stub[because ?? 'chosen'](`<@${asker}>`));
}

/**
 * An answer that its asker shares with the thread, with sources and notes, without buttons. Slack returns the blocks of a
 * message in expanded form, so they are divided again.
 */
export function buildSharedMessages(
  { question, form, language }: Pick<Turn, 'question' | 'form' | 'language'>,
  messages: SharedMessage[],
  { answer } = textsOf(language),
): Content[] {
  const label = buildNote(answer.shared(`<@${question.asker.user}>`));
  const [first = [], ...others] = messages.flatMap((message) => toShown(message, form));
  return [[label, ...first], ...others].map(toContent);
}

/** A message of ours in plain form: its text and its buttons. */
export function toPlainContent({ text, blocks }: Content): Content {
  return {
    text,
    blocks: [buildPlainSection(cutPlain(text, SECTION_LIMIT)), ...blocks.filter(({ type }) => type === 'actions')],
  };
}

function buildPlainAnswer({ id, question }: AnsweredTurn, answer: Answer, texts: Texts): Content[] {
  const actions = { type: 'actions' as const, elements: buildButtons(id, question.channel, answer, texts) };
  return toPlainSections(dropOverrides(`${answer.text}\n\n${toPlainEnd(answer, texts)}`), [actions]).map(toContent);
}

/** Groups of blocks that stay together. */
function buildEnd({ id: turnId, question: { channel } }: AnsweredTurn, answer: Answer, texts: Texts): AnyBlock[][] {
  return [
    ...buildSources(answer.sources, texts).map((block) => [block]),
    [
      ...buildPrivateNote(answer, channel, texts),
      { ...buildNote(...buildNotes(answer, texts)), block_id: NOTES_BLOCK },
      { type: 'actions', elements: buildButtons(turnId, channel, answer, texts) },
      buildFeedback(turnId, texts),
    ],
  ];
}

function toShown({ text, blocks }: SharedMessage, form: ReplyForm | undefined): AnyBlock[][] {
  if (form === 'plain') return toPlainSections(toWords(blocks) || text);
  const budget = form === 'small' ? SMALL_BUDGET : MESSAGE_BUDGET;
  const room = { ...budget, blocks: budget.blocks - 1 };
  const groups = (blocks as AnyBlock[]).map((block) => [block]);
  return packBlocks(groups, room);
}

/** A text in the one form that Slack does not refuse: messages of one plain section each. `end`: blocks below the last. */
function toPlainSections(text: string, end: AnyBlock[] = []): AnyBlock[][] {
  const pieces = splitPlain(text, SECTION_LIMIT);
  return (pieces.length === 0 ? ['…'] : pieces).map((piece, index) => [
    buildPlainSection(piece),
    ...(index === pieces.length - 1 ? end : []),
  ]);
}
