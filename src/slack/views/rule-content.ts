// The texts about rules that administrators have set for questions.
import { MAX_PAUSE_WORD } from '../../conversation/channel-settings.ts';
import type { Notice, NoticeCode } from '../../conversation/outcome.ts';
import type { Texts } from '../../languages/english.ts';
import { type Content, toMrkdwnLine, toNoteContent, toTextContent } from './content.ts';

export const RULE_NOTICES = ['not_allowed_here', 'paused', 'person_cap', 'channel_cap'] as const satisfies NoticeCode[];

type RuleNotice = (typeof RULE_NOTICES)[number];

export function isRuleNotice(code: NoticeCode): code is RuleNotice {
  return RULE_NOTICES.some((one) => one === code);
}

export function buildRuleNotice({ code, detail = '', cap }: Notice & { code: RuleNotice }, { rules }: Texts): Content {
  if (code === 'paused') return toTextContent(rules.paused(toPauseWord(detail)));
  if (code === 'not_allowed_here' || cap === undefined) return toTextContent(rules.notAllowedHere);
  return toTextContent((code === 'person_cap' ? rules.personCap : rules.channelCap)(cap.most, toClock(cap.until)));
}

/** Shown in the reader's time zone: https://docs.slack.dev/messaging/formatting-message-text#date-formatting */
export function toClock(until: number): string {
  const fallback = `${new Date(until).toISOString().slice(11, 16)} UTC`;
  return `<!date^${Math.round(until / 1_000)}^{time}|${fallback}>`;
}

/** As mrkdwn, on one line. */
export function toPauseWord(word: string): string {
  return toMrkdwnLine(word, MAX_PAUSE_WORD);
}

/** The note in the thread if the answer went to the asker alone because of a rule. */
export function buildRuleStub(asker: string, texts: Texts): Content {
  return toNoteContent(texts.rules.privateStub(asker));
}
