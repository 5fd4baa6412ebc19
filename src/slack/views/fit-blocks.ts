import type { AnyBlock } from '@slack/types';
import { entityCost, fits, MESSAGE_BUDGET, measureBlocks } from '../text-out/message-budget.ts';

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
