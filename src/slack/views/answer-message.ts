import type { AnyBlock } from '@slack/types';
import type { Answer, SharedMessage } from '../../conversation/outcome.ts';
import type { ReplyForm } from '../../conversation/turn.ts';
import {
  addSizes,
  type Budget,
  countCharacters,
  cutPlain,
  fits,
  MESSAGE_BUDGET,
  measureBlocks,
  packBlocks,
  SECTION_LIMIT,
  SMALL_BUDGET,
  splitPlain,
} from '../text-out/message-budget.ts';
import { toPlainText } from '../text-out/plain-text.ts';
import { measureMarkdown, renderMarkdown } from '../text-out/render-markdown.ts';
import { splitMarkdown } from '../text-out/split-markdown.ts';
import { buildButtons, buildFeedback, buildNotes, buildSources, toPlainEnd } from './answer-end.ts';
import type { Content } from './content.ts';

/** Added to twice the number that the length alone requires: many headings or small tables could need thousands. */
const MORE_MESSAGES = 20;

/** The notification for a message that has no text of the answer. */
const END_TEXT = 'Sources and notes';

/**
 * An answer as one message, or as several if it exceeds Slack's limits, in order. The last one carries the sources, notes
 * and buttons, with the end of the text if it fits. Throws RenderTimeoutError.
 */
export async function buildAnswerMessages(turnId: string, answer: Answer, form?: ReplyForm): Promise<Content[]> {
  if (form === 'plain') return buildPlainAnswer(turnId, answer);
  const budget = form === 'small' ? SMALL_BUDGET : MESSAGE_BUDGET;
  // Slack may count other line ends differently.
  const rendered = await renderMarkdown(answer.text.replace(/\r\n?/g, '\n'));
  const most = MORE_MESSAGES + Math.ceil((2 * countCharacters(rendered)) / budget.characters);
  const texts = splitMarkdown(rendered, budget, most);
  if (texts.length > most || rendered.trim() === '') return buildPlainAnswer(turnId, answer);
  const messages = texts.map((text): Content => ({ text: toPlainText(text), blocks: [{ type: 'markdown', text }] }));
  return withEnd(messages, texts.at(-1) ?? '', buildEnd(turnId, answer), budget);
}

/** Stays in the thread if the answer itself went to the asker alone. */
export function buildPrivateStub(asker: string): Content {
  const text = `<@${asker}> got the answer in a direct message, because they chose to see answers alone.`;
  return { text, blocks: [{ type: 'context', elements: [{ type: 'mrkdwn', text }] }] };
}

/**
 * An answer that its asker shares with the thread, with sources and notes, without buttons. Slack returns the blocks of a
 * message in expanded form, so they are divided again.
 */
export function buildSharedMessages(user: string, messages: SharedMessage[], form?: ReplyForm): Content[] {
  const label = `<@${user}> shares an answer they got with their own access rights.`;
  const labelBlock = { type: 'context' as const, elements: [{ type: 'mrkdwn' as const, text: label }] };
  const contents = messages.flatMap((message) => toContents(message, form));
  return contents.map(({ text, blocks }, index) => ({ text, blocks: index === 0 ? [labelBlock, ...blocks] : blocks }));
}

/** The same for a message of ours, as a single message: its text and its buttons. */
export function toPlainContent({ text, blocks }: Content): Content {
  return {
    text,
    blocks: [toSection(cutPlain(text, SECTION_LIMIT)), ...blocks.filter(({ type }) => type === 'actions')],
  };
}

function buildPlainAnswer(turnId: string, answer: Answer): Content[] {
  const actions = { type: 'actions' as const, elements: buildButtons(turnId, answer) };
  return buildPlainMessages(`${answer.text}\n\n${toPlainEnd(answer)}`, [actions]);
}

function withEnd(messages: Content[], lastText: string, end: AnyBlock[][], budget: Budget): Content[] {
  const last = messages.at(-1);
  if (last && fits(addSizes(measureMarkdown(lastText), measureBlocks(end.flat())), budget)) {
    last.blocks.push(...end.flat());
    return messages;
  }
  return [...messages, ...packBlocks(end, budget).map((blocks) => ({ text: END_TEXT, blocks }))];
}

/** Groups of blocks that stay together. */
function buildEnd(turnId: string, answer: Answer): AnyBlock[][] {
  return [
    ...buildSources(answer.sources).map((block) => [block]),
    [
      { type: 'context', elements: buildNotes(answer).map((text) => ({ type: 'mrkdwn', text, verbatim: true })) },
      { type: 'actions', elements: buildButtons(turnId, answer) },
      buildFeedback(turnId),
    ],
  ];
}

function toContents({ text, blocks }: SharedMessage, form: ReplyForm | undefined): Content[] {
  if (form === 'plain') return buildPlainMessages(toWords(blocks) || text);
  const budget = form === 'small' ? SMALL_BUDGET : MESSAGE_BUDGET;
  const room = { ...budget, blocks: budget.blocks - 1 };
  const groups = (blocks as AnyBlock[]).flatMap((block): AnyBlock[][] => {
    if (block.type !== 'markdown' || !('text' in block) || typeof block.text !== 'string') return [[block]];
    return splitMarkdown(block.text, room).map((part) => [{ type: 'markdown', text: part }]);
  });
  return packBlocks(groups, room).map((packed) => ({ text, blocks: packed }));
}

/** Elements of rich text that begin on a new line. */
const LINES = new Set(['rich_text_section', 'rich_text_preformatted', 'rich_text_quote']);

/** The text of blocks, without markup. */
function toWords(node: unknown): string {
  if (Array.isArray(node)) return node.map(toWords).join('');
  if (typeof node !== 'object' || node === null) return '';
  const { type, text, url, ...rest } = node as Record<string, unknown>;
  const own = typeof text === 'string' ? text : typeof url === 'string' ? url : toWords(text);
  const words = own + Object.values(rest).map(toWords).join('');
  const endsLine = LINES.has(String(type)) || 'block_id' in node || isBlock(String(type));
  return words !== '' && endsLine ? `${words}\n` : words;
}

function isBlock(type: string): boolean {
  return ['header', 'section', 'context', 'markdown', 'table', 'rich_text'].includes(type);
}

/** A text in the one form that Slack does not refuse: messages of one plain section each. `end`: blocks below the last. */
function buildPlainMessages(text: string, end: AnyBlock[] = []): Content[] {
  const pieces = splitPlain(text, SECTION_LIMIT);
  return (pieces.length === 0 ? ['…'] : pieces).map((piece, index) => ({
    text: toPlainText(piece),
    blocks: [toSection(piece), ...(index === pieces.length - 1 ? end : [])],
  }));
}

function toSection(text: string): AnyBlock {
  return { type: 'section', text: { type: 'plain_text', text, emoji: false } };
}
