// What follows the text of an answer: sources, notes and buttons.
import type { AnyBlock } from '@slack/types';
import { toFileName } from '../../conversation/file-uses.ts';
import type { Answer, QuotedNotes, Source } from '../../conversation/outcome.ts';
import type { UnusableFile } from '../../conversation/question.ts';
import type { Texts } from '../../languages/english.ts';
import { countCharacters, SECTION_LIMIT } from '../text-out/message-budget.ts';
import { unescapeMrkdwn } from '../text-out/neutralise.ts';
import { toMrkdwnLink } from '../text-out/plain-text.ts';
import { MAX_BUTTON_TEXT_LENGTH } from '../web/limits.ts';
import {
  ACTIONS,
  buildButton,
  buildConfirm,
  buildNote,
  buildPlainText,
  buildSection,
  toLine,
  toMrkdwnLine,
  toMrkdwnName,
} from './content.ts';

const MAX_SOURCES = 20;

/** The first few reasons are enough to know what to do. */
const MAX_REASONS = 6;

/** The block that says why the answer is private, which sharing leaves out. Never rename: messages live for years. */
export const PRIVATE_BLOCK = 'private_because';

/** The block with the notes. *Details* reads it back from messages that live for years. */
export const NOTES_BLOCK = 'answer_notes';

/** The sources as lines of text, in as few sections as possible, and how many more there are than fit into `most`. */
export function buildSources(sources: Source[], { answer }: Texts, most = MAX_SOURCES): AnyBlock[] {
  if (sources.length === 0) return [];
  const texts = [`*${answer.sources}*`];
  let shown = 0;
  for (const source of sources.slice(0, MAX_SOURCES)) {
    const line = toSourceLine(source);
    const text = texts.at(-1) ?? '';
    if (countCharacters(text) + countCharacters(line) < SECTION_LIMIT) texts[texts.length - 1] = `${text}\n${line}`;
    else if (texts.length < most) texts.push(line);
    else break;
    shown += 1;
  }
  // SECTION_LIMIT leaves room for this line.
  const more = shown < sources.length ? `\n${answer.notes.more(sources.length - shown)}` : '';
  return texts.map((text, index) => buildSection(index === texts.length - 1 ? text + more : text));
}

/** What people have to know to understand the answer: lines of mrkdwn, at most ten, because a context block takes ten. */
export function buildNotes(
  { again, privateChannel, partial, contextLost, webSearch, isWebOffByRule, files, ...rest }: Answer,
  { answer, rules, threadContext }: Texts,
): string[] {
  const texts = answer.notes;
  const { sensitivity, askerName, quoted = {} } = rest;
  const notes: string[] = [];
  // A private answer is not below its question.
  if (again && (again.isFollowed || privateChannel)) notes.push(texts.askedAgain(toMrkdwnName(again.question, 80)));
  if (partial) notes.push(`:warning: ${texts.partial}`);
  if (contextLost) notes.push(texts.contextLost);
  if (sensitivity) notes.push(texts.sensitivity(toMrkdwnLine(sensitivity, 200)));
  if (!webSearch) notes.push(isWebOffByRule ? rules.webOff : texts.webOff);
  if (files.used.length > 0) notes.push(texts.filesUsed(files.used.map(toName).join(', ')));
  if (files.unusable.length > 0) notes.push(texts.filesUnused(toReasons(files.unusable, answer, threadContext)));
  const name = askerName && toMrkdwnName(askerName, 80);
  notes.push(buildQuotedNote(quoted, threadContext), texts.disclaimer(name));
  return notes.filter((note) => note !== '');
}

/** `channel`: of the question. */
export function buildButtons(
  turnId: string,
  channel: string,
  { webSearch, privateChannel, ...reasons }: Answer,
  { answer, details, schedules }: Texts,
) {
  const again = webSearch
    ? buildButton(ACTIONS.askWithoutWeb, answer.askAgainWithoutWeb, turnId)
    : buildButton(ACTIONS.askAgain, answer.askAgain, turnId);
  const more = buildButton(ACTIONS.details, details.title, turnId);
  if (channel.startsWith('D')) return [again, buildButton(ACTIONS.schedule, schedules.button, turnId), more];
  if (!privateChannel) return [again, more];
  const share = buildButton(ACTIONS.shareInThread, answer.shareInThread, turnId);
  // The asker decides, and should know who can read the answer then.
  const confirm = buildConfirm({ ...answer.share, text: answer.share[toReason(reasons) ?? 'chosen'] });
  return [{ ...share, confirm }, again, more];
}

/** Why an answer is private. Undefined: the asker chose so, or a rule says so. */
export function toReason({ privateBecause, isFromPrivate }: Pick<Answer, 'privateBecause' | 'isFromPrivate'>) {
  return isFromPrivate ? 'linked' : privateBecause;
}

/** Where the question was asked, and why the answer is private. `channel`: of the question. */
export function buildPrivateNote(answer: Answer, channel: string, { answer: texts, rules }: Texts): AnyBlock[] {
  if (!answer.privateChannel) return [];
  const toText = answer.isPrescribed ? rules.privateNote : texts.sentPrivately[toReason(answer) ?? 'chosen'];
  return [{ ...buildNote(toText(`<#${channel}>`)), block_id: PRIVATE_BLOCK }];
}

export function buildFeedback(turnId: string, { answer }: Texts): AnyBlock {
  return {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: ACTIONS.feedback,
        positive_button: { text: buildPlainText(answer.goodAnswer, MAX_BUTTON_TEXT_LENGTH), value: `good ${turnId}` },
        negative_button: { text: buildPlainText(answer.badAnswer, MAX_BUTTON_TEXT_LENGTH), value: `bad ${turnId}` },
      },
    ],
  };
}

/** Sources and notes as text without markup. */
export function toPlainEnd(answer: Answer, texts: Texts): string {
  const sources = answer.sources.slice(0, MAX_SOURCES);
  const rest = answer.sources.length - sources.length;
  const lines = sources.map(({ number, title, url }) => `${number}. ${toLine(title, 200)} ${url}`);
  if (rest > 0) lines.push(texts.answer.notes.more(rest));
  const head = lines.length > 0 ? [texts.answer.sources, ...lines, ''] : [];
  return [...head, ...buildNotes(answer, texts).map(toPlainNote)].join('\n');
}

/** Which Slack messages were not sent, as one note: a context block takes ten. Empty if all were sent. */
function buildQuotedNote(
  { cut, isUnread, isOff, isTooLong, isToldAgain, refused = [] }: QuotedNotes,
  { notes, refusals }: Texts['threadContext'],
): string {
  return [
    isToldAgain ? notes.toldAgain : '',
    isTooLong ? notes.tooLong : '',
    isOff ? notes.off : '',
    isUnread ? notes.unread : '',
    cut ? notes.cut(cut) : '',
    refused.length > 0 ? notes.refused(refused.map((reason) => refusals[reason]).join('; ')) : '',
  ]
    .filter((note) => note !== '')
    .join(' ');
}

/** A very long address would leave no room for the others: its title is shown without a link. */
function toSourceLine({ number, url, title }: Source): string {
  const line = `${number}. ${toMrkdwnLink(url, title)}`;
  return countCharacters(line) < SECTION_LIMIT / 2 ? line : `${number}. ${toMrkdwnLine(title, 200)}`;
}

function toReasons(
  unusable: UnusableFile[],
  { notes, unusable: reasons }: Texts['answer'],
  { files }: Texts['threadContext'],
): string {
  const rest = unusable.length - MAX_REASONS;
  const shown = unusable
    .slice(0, MAX_REASONS)
    .map(({ name, reason, why }) => `${toMrkdwnLine(name, 60)} (${why ? files[why] : reasons[reason]})`);
  return [...shown, ...(rest > 0 ? [notes.more(rest)] : [])].join('; ');
}

/** The name alone: the links are in the question, and ten of them would leave no room for the other notes. */
function toName(url: string): string {
  return toMrkdwnLine(toFileName(new URL(url)), 60);
}

function toPlainNote(note: string): string {
  return unescapeMrkdwn(note.replace(/^:\w+: /, ''));
}
