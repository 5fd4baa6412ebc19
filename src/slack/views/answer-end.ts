// What follows the text of an answer: sources, notes and buttons.
import type { AnyBlock } from '@slack/types';
import { toFileName } from '../../conversation/file-uses.ts';
import type { Answer, Source } from '../../conversation/outcome.ts';
import type { UnusableFile, UnusableReason } from '../../conversation/question.ts';
import { countCharacters, SECTION_LIMIT } from '../text-out/message-budget.ts';
import { unescapeMrkdwn } from '../text-out/neutralise.ts';
import { toMrkdwnLink } from '../text-out/plain-text.ts';
import { ACTIONS, buildButton, buildSection, toLine, toMrkdwnLine } from './content.ts';

const MAX_SOURCES = 20;

/** The list may be long; the first few tell what to do about the others. */
const MAX_REASONS = 6;

const REASONS: Record<UnusableReason, string> = {
  upload: 'uploaded to Slack, which the assistant cannot read; share a link to it in your document library instead',
  other_host: 'not in a document library the assistant can read',
  too_many: 'too many files for one question',
  not_https: 'not an https address',
  item_id: 'named by an item id; share its link instead',
};

const DISCLAIMER = 'Written by AI from what you have access to. Check it before you rely on it.';

/** The sources as lines of text, in as few sections as possible. */
export function buildSources(sources: Source[]): AnyBlock[] {
  if (sources.length === 0) return [];
  const texts = ['*Sources*'];
  for (const source of sources.slice(0, MAX_SOURCES)) {
    const line = toSourceLine(source);
    const text = texts.at(-1) ?? '';
    if (countCharacters(text) + countCharacters(line) < SECTION_LIMIT) texts[texts.length - 1] = `${text}\n${line}`;
    else texts.push(line);
  }
  return texts.map(buildSection);
}

/** What people have to know to understand the answer, one line of mrkdwn each. A context block takes ten. */
export function buildNotes({ partial, contextLost, webSearch, files, sensitivity }: Answer): string[] {
  const notes: string[] = [];
  if (partial) notes.push(':warning: The connection broke before the end: this is what had arrived.');
  if (contextLost) notes.push('The assistant no longer knew this conversation: what was said before is gone for it.');
  if (sensitivity) notes.push(`Sensitivity: ${toMrkdwnLine(sensitivity, 200)}`);
  if (!webSearch) notes.push('Web search was off for this answer.');
  if (files.used.length > 0) {
    notes.push(
      `Files given to the assistant: ${files.used.map(toName).join(', ')}. ` +
        'A document uploaded within the last 12 hours may not be readable yet.',
    );
  }
  if (files.unusable.length > 0) notes.push(`Not used: ${toReasons(files.unusable)}.`);
  return [...notes, DISCLAIMER];
}

export function buildButtons(turnId: string, { webSearch, privateChannel }: Answer) {
  const again = webSearch
    ? buildButton(ACTIONS.askWithoutWeb, 'Ask again without web', turnId)
    : buildButton(ACTIONS.askAgain, 'Ask again', turnId);
  return privateChannel ? [buildButton(ACTIONS.shareInThread, 'Share in thread', turnId), again] : [again];
}

export function buildFeedback(turnId: string): AnyBlock {
  return {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: ACTIONS.feedback,
        positive_button: { text: { type: 'plain_text', text: 'Good answer' }, value: `good ${turnId}` },
        negative_button: { text: { type: 'plain_text', text: 'Bad answer' }, value: `bad ${turnId}` },
      },
    ],
  };
}

/** Sources and notes as text without markup. */
export function toPlainEnd(answer: Answer): string {
  const sources = answer.sources.slice(0, MAX_SOURCES);
  const lines = sources.map(({ number, title, url }) => `${number}. ${toLine(title, 200)} ${url}`);
  return [...(lines.length > 0 ? ['Sources', ...lines, ''] : []), ...buildNotes(answer).map(toPlainNote)].join('\n');
}

/** A very long address would leave no room for the others: its title is shown without a link. */
function toSourceLine({ number, url, title }: Source): string {
  const line = `${number}. ${toMrkdwnLink(url, title)}`;
  return countCharacters(line) < SECTION_LIMIT / 2 ? line : `${number}. ${toMrkdwnLine(title, 200)}`;
}

function toReasons(unusable: UnusableFile[]): string {
  const rest = unusable.length - MAX_REASONS;
  const reasons = unusable.slice(0, MAX_REASONS).map(toReason);
  return [...reasons, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

/** The name alone: the links are in the question, and ten of them would leave no room for the other notes. */
function toName(url: string): string {
  return toMrkdwnLine(toFileName(new URL(url)), 60);
}

function toReason({ name, reason }: UnusableFile): string {
  return `${toMrkdwnLine(name, 60)} (${REASONS[reason]})`;
}

function toPlainNote(note: string): string {
  return unescapeMrkdwn(note.replace(/^:\w+: /, ''));
}
