import type { AnyBlock, PlainTextElement, SectionBlock } from '@slack/types';
import { DateTime, IANAZone } from 'luxon';
import { entityCost, fits, MESSAGE_BUDGET, measureBlocks } from '../text-out/message-budget.ts';
import { escapeMrkdwn } from '../text-out/neutralise.ts';

/** The visible part of a Slack message. `text` is what a notification or a screen reader gets. */
export type Content = { text: string; blocks: AnyBlock[] };

/** What is clicked comes back under these names. They are written into messages that live for years: never rename. */
export const ACTIONS = {
  askAgain: 'ask_again',
  askWithoutWeb: 'ask_without_web',
  cancelWaiting: 'cancel_waiting',
  feedback: 'feedback',
  shareInThread: 'share_in_thread',
  signIn: 'sign_in',
  enterCode: 'enter_code',
  signOut: 'sign_out',
  /** A button that only opens an address; Slack reports the click all the same. */
  openAddress: 'open_address',
} as const;

/** A sentence of ours, in mrkdwn. */
export function toTextContent(text: string): Content {
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] };
}

export function buildPlainText(text: string): PlainTextElement {
  return { type: 'plain_text', text, emoji: false };
}

/** `verbatim`: Slack makes no links and mentions of what it finds in the text. */
export function buildSection(text: string): SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

// Text from outside, made fit to stand in a block: one line, cut between characters as people see them, escaped.
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** One line without control characters, at most `maxLength` UTF-16 units, never cut inside a character. */
export function toLine(text: string, maxLength: number): string {
  // Direction marks could turn around what stands after them.
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
  if (line.length <= maxLength) return line;
  let kept = '';
  for (const { segment } of SEGMENTER.segment(line)) {
    if (kept.length + segment.length > maxLength - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/**
 * As toMrkdwnLine, for a name that somebody gave: it looks as it is, and cannot dress up as ours in bold, code or emoji.
 * Slack has no way to escape these, so that letters which look the same take their place; who searches by a copied name
 * finds it all the same (toComparable). Ids are shown by toMrkdwnLine: they are copied to other places.
 */
export function toMrkdwnName(text: string, maxLength: number): string {
  const plain = toLine(text, maxLength)
    .replace(/[*~`]/g, (mark) => LOOK_ALIKES[mark] ?? mark)
    // Within a word it formats nothing: sales_bot stays.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, LOOK_ALIKES._ ?? '')
    .replace(/:(?=[^\s:]+:)/g, ':\u2060');
  return escapeMrkdwn(plain);
}

const LOOK_ALIKES: Record<string, string> = { '*': '\u2217', '~': '\u223c', '`': '\u02cb', _: '\u02cd' };

/** As toLine, for mrkdwn. `maxLength` is before escaping, which makes at most five characters of one. */
export function toMrkdwnLine(text: string, maxLength: number): string {
  return escapeMrkdwn(toLine(text, maxLength));
}

/** 4 Mar 2026, 14:05 CET. `timeZone` is IANA; one that is none counts as UTC. */
export function formatTime(at: number, timeZone: string): string {
  const zone = IANAZone.isValidZone(timeZone) ? timeZone : 'utc';
  return DateTime.fromMillis(at, { zone, locale: 'en-GB' }).toFormat('d LLL yyyy, HH:mm ZZZZ');
}

/** Labels of buttons are shorter: they stay as they are. */
const SHORTEST = 80;

/** Close enough to the most that fits. */
const STEP = 20;

/**
 * Blocks for one message, of at most so many blocks as that may have. Where the texts in them are too much for it, the
 * longest are shortened, all to the same length, and each says so. Buttons keep what they carry.
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

function shorten<Node>(node: Node, most: number): Node {
  if (Array.isArray(node)) return node.map((item) => shorten(item, most)) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const { type, text } = node as { type?: unknown; text?: unknown };
  if (typeof text === 'string') {
    if (type === 'mrkdwn') return { ...node, text: shortenLines(text, most) };
    return type === 'plain_text' || type === 'raw_text' ? { ...node, text: shortenText(text, most) } : node;
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, shorten(value, most)])) as Node;
}

/** Of mrkdwn, which counts no more than so many characters then. */
export function shortenLines(mrkdwn: string, most: number): string {
  if (findEnd(mrkdwn, most) === mrkdwn.length) return mrkdwn;
  const lineEnd = mrkdwn.lastIndexOf('\n', findEnd(mrkdwn, most - MORE_LENGTH));
  const [first = '', ...rest] = mrkdwn.split('\n');
  const shown =
    lineEnd > 0 ? mrkdwn.slice(0, lineEnd) : shortenLine(first, rest.length === 0 ? most : most - MORE_LENGTH);
  const more = lineEnd > 0 ? mrkdwn.slice(lineEnd + 1).split('\n').length : rest.length;
  return more === 0 ? shown : `${shown}\n_… and ${more} more ${more === 1 ? 'line' : 'lines'}_`;
}

/** Of the note about the lines that are left out. */
const MORE_LENGTH = 40;

/** In the middle: names come first, and what is said of them last. Not within an entity or a mention. */
function shortenLine(line: string, most: number): string {
  const head = line.slice(0, findEnd(line, (most - 1) / 2)).replace(/(?:&[a-z]*|<[^>]*|[\ud800-\udbff])$/, '');
  const reversed = [...line].reverse().join('');
  const tail = line
    .slice(line.length - findEnd(reversed, (most - 1) / 2))
    .replace(/^(?:[a-z]{0,4};|[^<\s]{0,80}>|[\udc00-\udfff])/, '');
  return `${head}…${tail}`;
}

function shortenText(text: string, most: number): string {
  const end = findEnd(text, most);
  return end === text.length ? text : `${text.slice(0, findEnd(text, most - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The furthest offset such that what is before it counts no more than so much. */
function findEnd(text: string, most: number): number {
  let count = 0;
  for (let offset = 0; offset < text.length; offset += 1) {
    count += 1 + entityCost(text.charCodeAt(offset));
    if (count > most) return offset;
  }
  return text.length;
}
