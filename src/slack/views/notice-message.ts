import { MAX_PAUSE_WORD } from '../../conversation/channel-settings.ts';
import type { Notice, NoticeCode } from '../../conversation/outcome.ts';
import type { Question } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { Texts } from '../../languages/english.ts';
import { textsOf } from '../../languages/texts.ts';
import {
  BLOCK_COST,
  countCharacters,
  MESSAGE_BUDGET,
  packBlocks,
  SECTION_LIMIT,
  splitPlain,
} from '../text-out/message-budget.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';
import {
  ACTIONS,
  buildButton,
  buildNote,
  buildPlainSection,
  type Content,
  toContent,
  toMrkdwnLine,
  toNoteContent,
  toTextContent,
} from './content.ts';

/** The question is read from these blocks when it is asked again. */
const QUESTION_BLOCK = 'question';

/** What the button below a notice does. */
const OFFERS: Partial<Record<NoticeCode, 'ask_again' | 'sign_in'>> = {
  interrupted: 'ask_again',
  outcome_unknown: 'ask_again',
  unavailable: 'ask_again',
  empty: 'ask_again',
  busy: 'ask_again',
  sign_in_expired: 'ask_again',
  sign_in_lost: 'sign_in',
  account_unusable: 'sign_in',
  sign_in_broken: 'ask_again',
  question_lost: 'ask_again',
  too_late: 'ask_again',
  schedule_held: 'sign_in',
  stopped: 'ask_again',
  failed: 'ask_again',
};

export function buildNotice(turnId: string, notice: Notice, texts: Texts): Content {
  const { code } = notice;
  if (isRuleNotice(code)) return buildRuleNotice({ ...notice, code }, texts);
  const offers = OFFERS[code];
  const { blocks } = toTextContent(texts.notices.sentences[code]);
  if (notice.detail) {
    blocks.push(buildNote(texts.notices.serviceSaid(toMrkdwnLine(notice.detail, 500))));
  }
  if (offers) blocks.push({ type: 'actions', elements: [toButton(offers, turnId, texts)] });
  return toContent(blocks);
}

/** Shown in the thread while a question waits. The reply replaces it. */
export function buildWaiting({ id, waitingFor = '', language }: Turn, { notices } = textsOf(language)): Content {
  const reasons: Record<string, string | undefined> = notices.waitsFor;
  const text = notices.waiting(reasons[waitingFor] ?? notices.waitsFor.assistant_unreachable);
  const { blocks } = toTextContent(`:hourglass_flowing_sand: ${text}`);
  const cancel = buildButton(ACTIONS.cancelWaiting, notices.cancelQuestion, id);
  return { text, blocks: [...blocks, { type: 'actions', elements: [cancel] }] };
}

/** Replaces a message that cannot be deleted. */
export function buildOver({ notices: { over } }: Texts): Content {
  return toNoteContent(over);
}

/** As measureBlocks counts, with room for the line above the question and for its sections. */
export const MAX_ROOT_LENGTH = MESSAGE_BUDGET.characters - 10 * BLOCK_COST;

/** Whether Slack takes a message with this question in it. Only a whole question can be asked again. */
export function fitsRoot({ text }: Pick<Question, 'text'>): boolean {
  return countCharacters(escapeMrkdwn(text)) <= MAX_ROOT_LENGTH;
}

/** A question that a command refuses. It is shown to the person who typed it, because Slack does not keep it. */
export function buildTyped({ text }: Pick<Question, 'text'>): Content[] {
  const sections = splitPlain(text, SECTION_LIMIT).map((part) => [buildPlainSection(part)]);
  return packBlocks(sections, MESSAGE_BUDGET).map(toContent);
}

/** A slash command leaves no message: this one shows the question in the channel and starts the thread. */
export function buildRoot({ asker, text, webSearch, scheduled }: Question, texts: Texts): Content {
  const { asked, askedWebOff } = texts.notices;
  const label = (scheduled ? texts.schedules.asked : webSearch ? asked : askedWebOff)(`<@${asker.user}>`);
  const sections = splitEvery(escapeMrkdwn(text), SECTION_LIMIT).map((part, index) => ({
    type: 'section' as const,
    block_id: `${QUESTION_BLOCK}${index}`,
    text: { type: 'mrkdwn' as const, text: part, verbatim: true },
  }));
  return toContent([buildNote(label), ...sections]);
}

/** Reads what buildRoot shows. Only for our own messages, because other apps may post blocks that look the same. */
export function readShownQuestion(blocks: unknown): { asker: string; text: string } | undefined {
  if (!Array.isArray(blocks)) return undefined;
  const sections = blocks.filter((block) => String(block?.block_id).startsWith(QUESTION_BLOCK));
  if (sections.length === 0) return undefined;
  const [, asker = ''] = /^<@(\w+)>/.exec(String(blocks[0]?.elements?.[0]?.text ?? '')) ?? [];
  return { asker, text: sections.map((block) => String(block?.text?.text ?? '')).join('') };
}

function toButton(offers: 'ask_again' | 'sign_in', turnId: string, { answer, signIn }: Texts) {
  if (offers === 'sign_in') return buildButton(ACTIONS.signIn, signIn.signIn, 'assistant');
  return buildButton(ACTIONS.askAgain, answer.askAgain, turnId);
}

/** Never splits an entity, nor a character of two UTF-16 units, of which Slack would make two unknown ones. */
function splitEvery(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const entity = rest.lastIndexOf('&', limit);
    const furthest = entity > limit - 6 ? entity : limit;
    const end = (rest.codePointAt(furthest - 1) ?? 0) > 0xffff ? furthest - 1 : furthest;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

export const RULE_NOTICES = ['not_allowed_here', 'paused', 'person_cap', 'channel_cap'] as const satisfies NoticeCode[];

type RuleNotice = (typeof RULE_NOTICES)[number];

function isRuleNotice(code: NoticeCode): code is RuleNotice {
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
