import type { AnyBlock } from '@slack/types';
import type { Answer } from '../../conversation/outcome.ts';
import type { ReplyForm } from '../../conversation/turn.ts';
import { measureMarkdown } from '../text-out/measure-markdown.ts';
import {
  addSizes,
  type Budget,
  countCharacters,
  fits,
  MESSAGE_BUDGET,
  measureBlocks,
  packBlocks,
  SMALL_BUDGET,
} from '../text-out/message-budget.ts';
import { toPlainText } from '../text-out/plain-text.ts';
import { renderMarkdown } from '../text-out/render-markdown.ts';
import { splitMarkdown } from '../text-out/split-markdown.ts';
import { buildFeedback, buildNotes, buildSources, toButtons, toPlainEnd } from './answer-end.ts';
import type { Content } from './content.ts';
import { buildPlainMessages } from './plain-message.ts';

/** Beside twice as many as its length alone makes: a text of headings or small tables could take thousands. */
const MORE_MESSAGES = 20;

/** What stands for a message of blocks alone in notifications. */
const END_TEXT = 'Sources and notes';

/**
 * An answer as one message, or several where Slack takes no more in one: each within its limits, in order. The last
 * carries everything but the text, with the end of the text where it fits. Throws RenderTimeoutError.
 */
export async function buildAnswerMessages(turnId: string, answer: Answer, form?: ReplyForm): Promise<Content[]> {
  if (form === 'plain') return buildPlainAnswer(turnId, answer);
  const budget = form === 'small' ? SMALL_BUDGET : MESSAGE_BUDGET;
  // A line end that only some readers know would be counted otherwise than Slack counts it.
  const rendered = await renderMarkdown(answer.text.replace(/\r\n?/g, '\n'));
  const most = MORE_MESSAGES + Math.ceil((2 * countCharacters(rendered)) / budget.characters);
  const texts = splitMarkdown(rendered, budget, most);
  if (texts.length > most || rendered.trim() === '') return buildPlainAnswer(turnId, answer);
  const messages = texts.map((text): Content => ({ text: toPlainText(text), blocks: [{ type: 'markdown', text }] }));
  return withEnd(messages, texts.at(-1) ?? '', buildEnd(turnId, answer), budget);
}

function buildPlainAnswer(turnId: string, answer: Answer): Content[] {
  const actions = { type: 'actions' as const, elements: toButtons(turnId, answer) };
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

/** What stays in the thread where the answer itself went to the asker alone. */
export function buildPrivateStub(asker: string): Content {
  const text = `<@${asker}> got the answer in a direct message, because they chose to see answers alone.`;
  return { text, blocks: [{ type: 'context', elements: [{ type: 'mrkdwn', text }] }] };
}

/** In groups that stay together. */
function buildEnd(turnId: string, answer: Answer): AnyBlock[][] {
  return [
    ...buildSources(answer.sources).map((block) => [block]),
    [
      { type: 'context', elements: buildNotes(answer).map((text) => ({ type: 'mrkdwn', text, verbatim: true })) },
      { type: 'actions', elements: toButtons(turnId, answer) },
      buildFeedback(turnId),
    ],
  ];
}
