// What people read where administrators have set rules for their questions.
import type { Notice, NoticeCode } from '../../conversation/outcome.ts';
import type { Texts } from '../../languages/english.ts';
import { type Content, toMrkdwnLine, toTextContent } from './content.ts';

type RuleNotice = Extract<NoticeCode, 'not_allowed_here' | 'paused'>;

/** An administrator types no more: see pause-views.ts of governance. */
export const MAX_PAUSE_WORD = 300;

export function buildRuleNotice({ code, detail = '' }: Notice & { code: RuleNotice }, { rules }: Texts): Content {
  return toTextContent(code === 'paused' ? rules.paused(toPauseWord(detail)) : rules.notAllowedHere);
}

/** As mrkdwn, on one line. */
export function toPauseWord(word: string): string {
  return toMrkdwnLine(word, MAX_PAUSE_WORD);
}

/** Stays in the thread where the answer went to the asker alone, because a rule says so. */
export function buildRuleStub(asker: string, texts: Texts): Content {
  const text = texts.rules.privateStub(asker);
  return { text, blocks: [{ type: 'context', elements: [{ type: 'mrkdwn', text }] }] };
}
