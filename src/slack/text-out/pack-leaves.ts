import { MAX_TABLES } from '../web/limits.ts';
import {
  addSizes,
  BLOCK_COST,
  type Budget,
  countCharacters,
  findFurthest,
  fits,
  NO_SIZE,
  type Size,
} from './message-budget.ts';
import { GRAPHEMES } from './plain-text.ts';
import type { Leaf } from './write-blocks.ts';
import { joinSpans, type Line } from './write-inline.ts';

/** Slack Markdown for one message. */
export type Part = { text: string; size: Size };

/**
 * Divides leaves among as few messages as the budget allows. It divides between leaves or, if a message would be less than
 * half full, within a leaf: between lines, sentences or words. Code is closed and opened again, the heading of a table is
 * repeated, and no message ends with a heading. Stops when there is one message more than `most`.
 */
export function packLeaves(leaves: readonly Leaf[], budget: Budget, most: number): Part[] {
  const parts: Part[] = [];
  let held: Leaf[] = [];
  let size = NO_SIZE;

  function hold(leaf: Leaf, sizeWithIt = addSizes(size, measureLeaf(leaf, held.at(-1)))): void {
    size = sizeWithIt;
    held.push(leaf);
  }

  function endPart(): void {
    const last = held.findLastIndex(({ kind }) => kind !== 'heading');
    const headings = last < 0 ? [] : held.splice(last + 1);
    parts.push({ text: joinLeaves(held), size: headings.length > 0 ? measureAll(held) : size });
    held = [];
    size = NO_SIZE;
    for (const heading of headings) hold(heading);
  }

  /** Returns what is left for the next message. */
  function place(leaf: Leaf): Leaf | undefined {
    const isAlone = held.length === 0;
    const more = addSizes(size, measureLeaf(leaf, held.at(-1)));
    if (fits(more, budget)) {
      hold(leaf, more);
      return undefined;
    }
    const isFull = 2 * size.characters > budget.characters || more.blocks > budget.blocks || more.tables > MAX_TABLES;
    const room = budget.characters - size.characters - measureLeaf({ ...leaf, lines: [] }, held.at(-1)).characters;
    const [begun, rest] = isFull && !isAlone ? [undefined, leaf] : divideLeaf(leaf, room, isAlone);
    if (begun) hold(begun);
    endPart();
    return rest;
  }

  for (const leaf of leaves) {
    let rest: Leaf | undefined = leaf;
    while (rest && parts.length <= most) rest = place(rest);
  }
  if (held.length > 0) parts.push({ text: joinLeaves(held), size });
  return parts;
}

function measureAll(leaves: readonly Leaf[]): Size {
  return leaves.map((leaf, index) => measureLeaf(leaf, leaves[index - 1])).reduce(addSizes, NO_SIZE);
}

/** What a leaf adds to the size of a message. */
function measureLeaf({ kind, gap, opening, closing, lines, first, rest }: Leaf, before: Leaf | undefined): Size {
  const repeated = opening.length + closing.length;
  const lineStarts = (repeated + lines.length) * (1 + countCharacters(rest));
  const beside = countCharacters(gap + first) + lineStarts + countCharacters(opening.join('') + closing.join(''));
  const characters = lines.reduce((sum, line) => sum + countCharacters(joinSpans(line)), beside);
  const blocks = kind === 'text' && before?.kind === 'text' ? 0 : 1;
  return { blocks, characters: characters + blocks * BLOCK_COST, tables: kind === 'table' ? 1 : 0 };
}

/** The beginning of a leaf that fits, if any, and the rest. `isAlone`: at least a part of a line is taken. */
function divideLeaf(leaf: Leaf, room: number, isAlone: boolean): [Leaf | undefined, Leaf] {
  const { rest, lines, opening } = leaf;
  const repeated = countCharacters(opening.join(''));
  // The repeated lines would leave no room for anything else.
  if (isAlone && repeated > room) return divideLeaf(toText(leaf), room + repeated, isAlone);
  const lineStart = 1 + countCharacters(rest);
  let left = room;
  let count = 0;
  for (const line of lines) {
    const cost = countCharacters(joinSpans(line)) + lineStart;
    if (cost > left) break;
    left -= cost;
    count += 1;
  }
  const goOn = (from: Line[]): Leaf => ({ ...leaf, first: rest, lines: from });
  if (count > 0) return [{ ...leaf, lines: lines.slice(0, count) }, goOn(lines.slice(count))];
  const [line = [], ...others] = lines;
  const [begun, ended] = cutLine(line, left - lineStart, isAlone);
  return begun.length === 0 ? [undefined, leaf] : [{ ...leaf, lines: [begun] }, goOn([ended, ...others])];
}

/** Keeps the heading of a table as text, and leaves out all other repeated lines. */
function toText({ kind, opening, lines, ...leaf }: Leaf): Leaf {
  const heading = kind === 'table' ? opening.slice(0, 1) : [];
  const shown = [...heading.map((text): Line => [{ text, isWhole: false }]), ...lines];
  return { ...leaf, kind: 'text', opening: [], closing: [], lines: shown };
}

function joinLeaves(leaves: readonly Leaf[]): string {
  let text = '';
  // A list that continues from another message loses its indentation: with it, the list would be code.
  let stem = /^(?:> )* +/.exec(leaves[0]?.first ?? '')?.[0] ?? '';
  const quote = stem.trimEnd() === '' ? '' : `${stem.trimEnd()} `;
  for (const [index, { gap, first, rest, opening, closing, lines }] of leaves.entries()) {
    if (!first.startsWith(stem)) stem = '';
    const toPrefix = (prefix: string) => (stem === '' ? prefix : quote + prefix.slice(stem.length));
    const [head = '', ...others] = [...opening, ...lines.map(joinSpans), ...closing];
    if (index > 0) text += gap;
    text += toPrefix(first) + head;
    for (const line of others) text += `\n${line === '' ? toPrefix(rest).trimEnd() : toPrefix(rest) + line}`;
  }
  return text;
}

/**
 * Cuts a line: a beginning of at most `room` characters, and the rest. Cuts after a sentence (in the first span only if
 * that uses half of the room), else between words; never within a whole span. `isForced`: if that fails, anywhere.
 */
function cutLine(line: Line, room: number, isForced: boolean): [Line, Line] {
  let left = room;
  const begun: Line = [];
  for (const [index, span] of line.entries()) {
    const cost = countCharacters(span.text);
    if (cost <= left) {
      left -= cost;
      begun.push(span);
      continue;
    }
    const others = line.slice(index + 1);
    const canWait = begun.length > 0 || !isForced;
    if (span.isWhole && canWait) return [begun, [span, ...others]];
    const end =
      findEnd(span.text, Math.max(0, left), begun.length > 0 ? 0 : left / 2) ||
      (canWait ? 0 : toCharacterEnd(span.text, Math.max(0, left)));
    if (end === 0) return [begun, [span, ...others]];
    const [one, other] = [span.text.slice(0, end), span.text.slice(end)];
    return [
      [...begun, { ...span, text: one }],
      [{ ...span, text: other }, ...others],
    ];
  }
  return [begun, []];
}

/** The offset after the last sentence, if it is more than `least`; else after the last word; else 0. */
function findEnd(text: string, room: number, least: number): number {
  const near = text.slice(0, findFurthest(text, 0, room));
  const sentence = TO_SENTENCE_END.exec(near)?.[0].length ?? 0;
  return sentence > least ? sentence : near.lastIndexOf(' ') + 1;
}

/** Up to the end of the last sentence. */
const TO_SENTENCE_END = /^.*(?:[。！？]|[.!?…] )/s;

// Longer combining sequences do not occur in real text.
const LONGEST_GRAPHEME = 64;

/** The last offset within `room` that splits no entity, no escaped character and no grapheme. */
function toCharacterEnd(text: string, room: number): number {
  const furthest = findFurthest(text, 0, room);
  const begun = /(?:&#?\w{0,10}|\\)$/.exec(text.slice(Math.max(0, furthest - 12), furthest))?.[0].length ?? 0;
  const end = furthest - begun || furthest;
  const before = Math.max(0, end - LONGEST_GRAPHEME);
  const segment = GRAPHEMES.segment(text.slice(before, end + LONGEST_GRAPHEME)).containing(end - before);
  const start = before + (segment?.index ?? 0);
  return start > before ? start : Math.max(end, 1);
}
