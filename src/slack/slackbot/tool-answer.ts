import type { AnyBlock } from '@slack/types';
import type { Answer, NoticeCode } from '../../conversation/outcome.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { Texts } from '../../languages/english.ts';
import { textsOf } from '../../languages/texts.ts';
import { MESSAGE_BUDGET, measureBlocks, splitPlain } from '../text-out/message-budget.ts';
import { dropOverrides } from '../text-out/neutralise.ts';
import { toWords } from '../text-out/plain-text.ts';
import { renderMarkdown } from '../text-out/render-markdown.ts';
import { buildNotes, buildSources, toPlainEnd } from '../views/answer-end.ts';
import { buildNote, withoutButtons } from '../views/content.ts';
import { buildNotice } from '../views/notice-message.ts';

/** The answer to a tool call. `result`: how the turn ended. The text is for a model, the blocks are for people. */
export type ToolAnswer = { result: 'answer' | NoticeCode; text: string; blocks: AnyBlock[] };

/** The limit of a message, so that text and blocks say the same. */
const MAX_TEXT = MESSAGE_BUDGET.characters;

/** Deterministic. Throws RenderTimeoutError, unless the form is plain. Undefined: nothing is decided yet. */
export async function buildToolAnswer({ id, outcome, stage, form, language }: Turn): Promise<ToolAnswer | undefined> {
  const texts = textsOf(language);
  if (outcome?.kind === 'answer') return toAnswer(outcome, form === 'plain', texts);
  const ended = stage === 'stopped' || stage === 'cancelled' ? { kind: 'notice' as const, code: stage } : undefined;
  const notice = outcome?.kind === 'notice' ? outcome : ended;
  if (!notice) return undefined;
  const blocks = withoutButtons(buildNotice(id, notice, texts).blocks) as AnyBlock[];
  return { result: notice.code, text: toWords(blocks).trim(), blocks };
}

async function toAnswer(answer: Answer, isPlain: boolean, texts: Texts): Promise<ToolAnswer> {
  const [whole = '', ...rest] = splitPlain(dropOverrides(answer.text), MAX_TEXT);
  const text = [whole, ...(rest.length > 0 ? [texts.slackbot.cut] : []), toPlainEnd(answer, texts)].join('\n\n');
  return { result: 'answer', text, blocks: isPlain ? [] : await toBlocks(answer, texts) };
}

/** One message: it ends with the sources and notes, and a long text is cut. */
async function toBlocks(answer: Answer, texts: Texts): Promise<AnyBlock[]> {
  const { blocks, characters } = MESSAGE_BUDGET;
  const end = [...buildSources(answer.sources, texts, 1), buildNote(...buildNotes(answer, texts))];
  const taken = measureBlocks([...end, buildNote(texts.slackbot.cut)]);
  const room = { blocks: blocks - taken.blocks, characters: characters - taken.characters };
  const [first, ...rest] = (await renderMarkdown(answer.text, room)) ?? [];
  if (!first) return [];
  const cut = rest.length > 0 ? [buildNote(texts.slackbot.cut)] : [];
  return [{ type: 'markdown', text: first.text }, ...cut, ...end];
}
