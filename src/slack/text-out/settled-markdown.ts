import { type Fence, isTableDelimiter, LINE_MARKERS, toFenceAfter } from './markdown-lines.ts';

/**
 * Where to look: from `start`, where a block begins, with `opening` before it if that is within a code block. Only ends
 * after `from` and up to `most` count.
 */
export type Growth = { start: number; from: number; opening: string; most: number };

/** Markup that is not closed is held back, but not for longer than this, in UTF-16 units: it may be none. */
const MAX_HELD = 600;

/** A code block is held back until it is closed. Of a longer one each line is shown as it comes. */
const MAX_HELD_CODE = 1_500;

/**
 * The furthest offset up to which a growing Markdown text can be shown without looking broken, or `from`: not within a
 * word, bold text, a link, inline code, a heading, a row of a table, or a code block. Closing what is open, as is done
 * where a text is rendered again each time, is no way for a text that is only appended to.
 */
export function findSettledEnd(text: string, { start, from, opening, most }: Growth): number {
  const fence = opening === '' ? undefined : toFenceAfter(opening, undefined);
  // Code that goes on in a new message was long already.
  const reading: Reading = { text, end: from, paragraph: start, fence, codeStart: start - (fence ? MAX_HELD_CODE : 0) };
  const lines = text.slice(start, most).split(/(?<=\n)/);
  let at = start;
  for (const [index, text] of lines.entries()) {
    const line: Line = { text, start: at, end: at + text.length, next: lines[index + 1] };
    const before = reading.fence;
    reading.fence = toFenceAfter(text, before);
    if (before === undefined && reading.fence === undefined) readText(reading, line);
    else readCode(reading, line, before === undefined);
    at = line.end;
  }
  return reading.end;
}

/** `end`: what may be shown so far. `paragraph` and `codeStart`: where the latest began. */
type Reading = { text: string; end: number; paragraph: number; fence: Fence | undefined; codeStart: number };

/** The last one may be unfinished. */
type Line = { text: string; start: number; end: number; next: string | undefined };

function readCode(reading: Reading, line: Line, isFirst: boolean): void {
  if (isFirst) reading.codeStart = line.start;
  reading.paragraph = line.end;
  const isLong = reading.end > reading.codeStart || line.end - reading.codeStart > MAX_HELD_CODE;
  const isClosed = reading.fence === undefined;
  if (isClosed || (isLong && isWhole(line))) reading.end = Math.max(reading.end, line.end);
}

function readText(reading: Reading, line: Line): void {
  const { text } = reading;
  if (line.text.trim() === '' || BLOCK_START.test(line.text)) reading.paragraph = line.start;
  const settled = isWhole(line) ? toLineEnd(text, reading.paragraph, line) : findWordEnd(text, reading.paragraph, line);
  reading.end = Math.max(reading.end, settled);
  if (line.end - reading.end > MAX_HELD) reading.end = isWhole(line) ? line.end : toCharacterEnd(text, line.end - 1);
}

function isWhole({ text }: Line): boolean {
  return text.endsWith('\n');
}

const BLOCK_START = /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|>|#{1,6}[ \t]|\|)/;

/** The end of a whole line if nothing is open there, else 0. */
function toLineEnd(text: string, paragraph: number, { text: line, end, next }: Line): number {
  // The first row of a table is text until the dashes below it have come.
  if (line.includes('|') && !isTableDelimiter(line) && !next?.endsWith('\n')) return 0;
  return isBalanced(text.slice(paragraph, end)) ? end : 0;
}

/** A line of text, which may be shown word by word. */
function isProse(line: string): boolean {
  return !/^[ \t]*(?:#|[`~|=]|[-*+_]{1,3}[ \t]*$|\d{1,9}[.)]?$)/.test(line) && !line.includes('|');
}

/** How many words back are tried. */
const MAX_WORDS = 40;

/** The last end of a word in an unfinished line at which nothing is open; 0: none. */
function findWordEnd(text: string, paragraph: number, line: Line): number {
  if (!isProse(line.text)) return 0;
  let tried = 0;
  for (let end = line.end; end > line.start && tried < MAX_WORDS; end -= 1) {
    if (!isWordEnd(text, end)) continue;
    tried += 1;
    // A bullet or a number alone is not shown either.
    if (text.slice(line.start, end).replace(MARKERS, '').trim() === '') return 0;
    if (isBalanced(text.slice(paragraph, end))) return end;
  }
  return 0;
}

/** After a space, or after a sign or letter of a script without spaces. What comes next is never joined to it. */
function isWordEnd(text: string, end: number): boolean {
  const last = text.charAt(end - 1);
  if (/\s/.test(last)) return true;
  return (
    end < text.length &&
    /[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/.test(last) &&
    !/[\p{M}\u200d]/u.test(text.charAt(end))
  );
}

/** The nearest end at or before this one that splits no surrogate pair. */
function toCharacterEnd(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

const MARKERS = new RegExp(`^${LINE_MARKERS}`, 'gm');

/** Whether no inline markup is open at the end. Escaped signs, and those between spaces, are none. */
function isBalanced(paragraph: string): boolean {
  const text = paragraph
    .replace(MARKERS, '')
    .replace(/\\./g, '')
    .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
  if (text.includes('`')) return false;
  if (/[\]!]$|\]\([^)\s]*$|<[^<>\n]{0,300}$/.test(text)) return false;
  if (count(text, /\[/g) > count(text, /\]/g)) return false;
  return (
    isEven(text, /\*\*/g) &&
    isEven(text.replaceAll('**', ''), /\*(?=\S)|(?<=\S)\*/g) &&
    isEven(text, /~~/g) &&
    isEven(text, /(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu)
  );
}

function isEven(text: string, sign: RegExp): boolean {
  return count(text, sign) % 2 === 0;
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}
