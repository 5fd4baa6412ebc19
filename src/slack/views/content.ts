import type { AnyBlock, ConfirmationDialog, ContextBlock, PlainTextElement, SectionBlock } from '@slack/types';
import { DateTime, IANAZone } from 'luxon';
import type { Texts } from '../../languages/english.ts';
import { cutPlain, findFurthest, fits, MESSAGE_BUDGET, measureBlocks } from '../text-out/message-budget.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';
import { cutGraphemes, toSpokenText } from '../text-out/plain-text.ts';
import {
  MAX_BUTTON_TEXT_LENGTH,
  MAX_DIALOG_BUTTON_LENGTH,
  MAX_DIALOG_TEXT_LENGTH,
  MAX_DIALOG_TITLE_LENGTH,
  MAX_MODAL_TITLE_LENGTH,
} from '../web/limits.ts';

/** The visible part of a Slack message. `text` is what a notification or a screen reader gets: see toSpokenText. */
export type Content = { text: string; blocks: AnyBlock[] };

/** Slack sends clicks under these names. They are written into messages that live for years: never rename. */
export const ACTIONS = {
  askAgain: 'ask_again',
  askWithoutWeb: 'ask_without_web',
  /** *Ask again* after an edit. */
  askEdited: 'ask_edited',
  cancelWaiting: 'cancel_waiting',
  details: 'answer_details',
  feedback: 'feedback',
  schedule: 'schedule',
  endSchedule: 'end_schedule',
  shareInThread: 'share_in_thread',
  signIn: 'sign_in',
  signOut: 'sign_out',
  /** A button that only opens an address; Slack sends its clicks as well. */
  openAddress: 'open_address',
  /** In the home tab, which then shows the result. */
  homeSignOut: 'home_sign_out',
  channelAnswers: 'home_channel_answers',
  showMyData: 'show_my_data',
  exportMyData: 'export_my_data',
  deleteMyData: 'delete_my_data',
} as const;

export function toContent(blocks: AnyBlock[]): Content {
  return { text: toSpokenText(blocks), blocks };
}

/** A sentence of ours, in mrkdwn. */
export function toTextContent(text: string): Content {
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] };
}

/** A sentence of ours as small print. */
export function toNoteContent(text: string): Content {
  return { text, blocks: [buildNote(text)] };
}

/** `value`: Slack sends it with the click. It must not be too long for Slack. */
export function buildButton(actionId: string, text: string, value: string) {
  const label = { type: 'plain_text' as const, text: toLine(text, MAX_BUTTON_TEXT_LENGTH) };
  return { type: 'button' as const, action_id: actionId, text: label, value };
}

/** `most`: Slack's limit, if the text could exceed it in another language. A longer text is cut. */
export function buildPlainText(text: string, most?: number): PlainTextElement {
  return { type: 'plain_text', text: most === undefined ? text : toLine(text, most), emoji: false };
}

/** The title of a modal, or one of its two buttons. */
export function buildTitle(text: string): PlainTextElement {
  return buildPlainText(text, MAX_MODAL_TITLE_LENGTH);
}

/** `verbatim`: Slack does not turn words of the text into links and mentions. */
export function buildSection(text: string): SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

/** A text of others as it is: Slack finds no markup in it. It must not be empty. */
export function buildPlainSection(text: string): SectionBlock {
  return { type: 'section', text: buildPlainText(text) };
}

/** Blocks as Slack returns them, without those that can be clicked: they work in their own message only. */
export function withoutButtons(blocks: unknown): { type?: string; block_id?: string }[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.filter((block) => block?.type !== 'actions' && block?.type !== 'context_actions');
}

/** Small print: at most ten lines of mrkdwn. */
export function buildNote(...lines: string[]): ContextBlock {
  return { type: 'context', elements: lines.map((text) => ({ type: 'mrkdwn', text, verbatim: true })) };
}

/** The dialog that Slack shows before a click counts. `confirm` and `deny`: the labels of its buttons. */
export function buildConfirm(words: {
  title: string;
  text: string;
  confirm: string;
  deny: string;
}): ConfirmationDialog {
  return {
    title: buildPlainText(words.title, MAX_DIALOG_TITLE_LENGTH),
    text: buildPlainText(words.text, MAX_DIALOG_TEXT_LENGTH),
    confirm: buildPlainText(words.confirm, MAX_DIALOG_BUTTON_LENGTH),
    deny: buildPlainText(words.deny, MAX_DIALOG_BUTTON_LENGTH),
  };
}

/** One line without control characters, at most `maxLength` UTF-16 units, never cut inside a character. */
export function toLine(text: string, maxLength: number): string {
  // Direction marks could reverse the text after them, and other invisible characters make two names look alike. The
  // joiners are part of emoji and of scripts, and variation selectors of emoji.
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .replace(/(?!\u200c|\u200d|\p{Variation_Selector})\p{DI}/gu, '')
    .replace(/^[\p{DI}\s]+$/u, '')
    .trim();
  return line.length <= maxLength ? line : `${cutGraphemes(line, maxLength - 1)}…`;
}

/** As toLine, for mrkdwn. `maxLength` is before escaping, which turns one character into five at most. */
export function toMrkdwnLine(text: string, maxLength: number): string {
  return escapeMrkdwn(toLine(text, maxLength));
}

/**
 * As toMrkdwnLine, for names that people choose: shown literally, without bold, code or emoji that could look like ours.
 * Slack has no escape for these, so look-alike characters replace them; searching for a copied name still finds it
 * (toComparable). Use toMrkdwnLine for ids: people copy them elsewhere.
 */
export function toMrkdwnName(text: string, maxLength: number): string {
  const plain = toLine(text, maxLength)
    .replace(/[*~`]/g, (mark) => LOOK_ALIKES[mark] ?? mark)
    // Inside a word it is no markup: sales_bot stays.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, LOOK_ALIKES._ ?? '')
    .replace(/:(?=[^\s:]+:)/g, ':\u2060');
  return escapeMrkdwn(plain);
}

/** For example 4 Mar 2026, 14:05 CET. `timeZone` is IANA; an unknown one counts as UTC. */
export function formatTime(at: number, timeZone: string): string {
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'utc';
  return DateTime.fromMillis(at, { zone, locale: 'en-GB' }).toFormat('d LLL yyyy, HH:mm ZZZZ');
}

/**
 * Makes the texts of blocks fit into one message; there must not be too many blocks. If the texts are too long, the
 * longest are all shortened to the same length, with an ellipsis. Button values stay.
 */
export function fitBlocks<Block extends AnyBlock>(blocks: readonly Block[]): Block[] {
  const isFitting = (some: readonly Block[]) => fits(measureBlocks(some), MESSAGE_BUDGET);
  if (isFitting(blocks)) return [...blocks];
  let [most, tooMany] = [SHORTEST, MESSAGE_BUDGET.characters];
  while (tooMany - most > STEP) {
    const middle = (most + tooMany) >> 1;
    if (isFitting(blocks.map((block) => shorten(block, middle)))) most = middle;
    else tooMany = middle;
  }
  return blocks.map((block) => shorten(block, most));
}

/** Shortens mrkdwn to at most `most` characters, as Slack counts them, and says how many lines are left out. */
export function shortenLines(mrkdwn: string, most: number): string {
  if (findFurthest(mrkdwn, 0, most) === mrkdwn.length) return mrkdwn;
  const lineEnd = mrkdwn.lastIndexOf('\n', findFurthest(mrkdwn, 0, most - MORE_LENGTH));
  const [first = '', ...rest] = mrkdwn.split('\n');
  const shown =
    lineEnd > 0 ? mrkdwn.slice(0, lineEnd) : shortenLine(first, rest.length === 0 ? most : most - MORE_LENGTH);
  const more = lineEnd > 0 ? mrkdwn.slice(lineEnd + 1).split('\n').length : rest.length;
  return more === 0 ? shown : `${shown}\n_… and ${more} more ${more === 1 ? 'line' : 'lines'}_`;
}

const LOOK_ALIKES: Record<string, string> = { '*': '\u2217', '~': '\u223c', '`': '\u02cb', _: '\u02cd' };

/** Button labels are shorter, so they are never cut. */
const SHORTEST = 80;

/** Precision of the search for the greatest length that fits. */
const STEP = 20;

function shorten<Node>(node: Node, most: number): Node {
  if (Array.isArray(node)) return node.map((item) => shorten(item, most)) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const { type, text } = node as { type?: unknown; text?: unknown };
  if (typeof text === 'string') {
    if (type === 'mrkdwn') return { ...node, text: shortenLines(text, most) };
    return type === 'plain_text' || type === 'raw_text' ? { ...node, text: cutPlain(text, most) } : node;
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, shorten(value, most)])) as Node;
}

/** Room for the note about lines that are left out. */
const MORE_LENGTH = 40;

/** Cuts the middle, because the beginning and the end say most. Never cuts within an entity or a mention. */
function shortenLine(line: string, most: number): string {
  const half = (most - 1) / 2;
  const head = line.slice(0, findFurthest(line, 0, half)).replace(/(?:&[a-z]*|<[^>]*)$/, '');
  const reversed = [...line].reverse().join('');
  const tail = line.slice(line.length - findFurthest(reversed, 0, half)).replace(/^(?:[a-z]{0,4};|[^<\s]{0,80}>)/, '');
  return `${head}…${tail}`;
}

/** The locale of dates and durations. */
export function toLocale({ language }: Pick<Texts, 'language'>): string {
  return language === 'en' ? 'en-GB' : language;
}
