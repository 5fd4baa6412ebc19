import type { NoticeCode } from '../../src/conversation/outcome.ts';
import { english } from '../../src/languages/english.ts';
import { buildNotice } from '../../src/slack/views/notice-message.ts';
import { readAnsweredItem } from './item.ts';

/** How a reply ends its turn: with the answer, what had arrived of it, or the word that stands in its place. */
export type Ending = 'answer' | 'partial answer' | NoticeCode;

/** Those that tell somebody who asked, and whom the app let ask, why there is no answer. */
const WORDS = (
  ['interrupted', 'outcome_unknown', 'unavailable', 'empty', 'busy', 'failed', 'stopped'] satisfies NoticeCode[]
).map((code) => ({ code, text: buildNotice('', { kind: 'notice', code }, english).text }));

/** What stands under an answer whose stream broke off. */
const BROKEN_OFF = 'The connection broke before the end';

/** Undefined: the message says something for the time being, or nothing that a person could take for an end. */
export function toEnding({ text, blocks }: { text?: unknown; blocks?: unknown }): Ending | undefined {
  const shown = String(text);
  if (readAnsweredItem(shown) !== undefined) return 'answer';
  const word = WORDS.find((notice) => shown.startsWith(notice.text));
  if (word) return word.code;
  return JSON.stringify(blocks)?.includes(BROKEN_OFF) ? 'partial answer' : undefined;
}
