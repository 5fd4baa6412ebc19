import { type Fence, isTableDelimiter, readLineMarkers, toFenceAfter } from './source-lines.ts';

/** Where a text continues: inside a code block or not, at the start of a line or not. No other markup is open there. */
export type Place = { fence: Fence | undefined; isLineStart: boolean };

/** Open markup is held back up to this length (UTF-16 units), because it may be no markup. */
const MAX_HELD = 600;

/** A code block is held back until it is closed. A longer one is shown line by line. */
const MAX_HELD_CODE = 1_500;

/**
 * How much of the rest of a growing Markdown text can be shown without looking broken; 0: nothing. Never ends within a
 * word, bold text, a link, inline code, a heading, a row of a table, or a code block: text is only appended, so open markup
 * cannot be closed temporarily. Reads each line once, and nothing that is shown already.
 */
export function findSettledEnd(rest: string, { fence, isLineStart }: Place): number {
  // If `rest` begins inside code, that code is a long one.
  const reading: Reading = { end: 0, fence, codeStart: fence ? -MAX_HELD_CODE : 0, open: new Set() };
  const lines = rest.split(/(?<=\n)/);
  let at = 0;
  for (const [index, text] of lines.entries()) {
    const line = { text, start: at, end: at + text.length, isBegun: index === 0 && !isLineStart };
    const before = reading.fence;
    if (!line.isBegun) reading.fence = toFenceAfter(text, before);
    if (before === undefined && reading.fence === undefined) readText(reading, line, lines[index + 1]);
    else readCode(reading, line, before === undefined);
    at = line.end;
  }
  return reading.end;
}

/** `end`: what may be shown so far. `open`: the inline markup that is open in the paragraph. */
type Reading = { end: number; fence: Fence | undefined; codeStart: number; open: Set<string> };

/** `isBegun`: the beginning of the line is shown. Only the last line may be unfinished. */
type Line = { text: string; start: number; end: number; isBegun: boolean };

function readCode(reading: Reading, line: Line, isFirst: boolean): void {
  if (isFirst) reading.codeStart = line.start;
  reading.open.clear();
  const isLong = reading.end > reading.codeStart || line.end - reading.codeStart > MAX_HELD_CODE;
  const isClosed = reading.fence === undefined;
  if (isWhole(line) && (isClosed || isLong)) reading.end = line.end;
  else if (!isFirst && line.text.length > MAX_HELD_CODE) reading.end = toCharacterEnd(line);
  else if (!isFirst && isLong) reading.end = line.start;
}

function readText(reading: Reading, line: Line, next: string | undefined): void {
  const { text, start, end, isBegun } = line;
  if (text.trim() === '' || (BLOCK_START.test(text) && !isBegun)) reading.open.clear();
  const word = readInline(line, reading.open);
  // A line with bars is held back until the next line shows whether it begins a table.
  const isTable = text.includes('|');
  const isLast = isTable && !isTableDelimiter(text) && !next?.endsWith('\n');
  if (isWhole(line) && !isLast && reading.open.size === 0) reading.end = end;
  else if (word > 0 && !isTable && (isBegun || isProse(text))) reading.end = start + word;
  if (end - reading.end <= MAX_HELD) return;
  reading.end = isWhole(line) ? end : toCharacterEnd(line);
  reading.open.clear();
}

function isWhole({ text }: Line): boolean {
  return text.endsWith('\n');
}

const BLOCK_START = /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|>|#{1,6}[ \t]|\|)/;

/** A line of text, which may be shown word by word. */
function isProse(line: string): boolean {
  return !/^[ \t]*(?:#|[`~|=]|[-*+_]{1,3}[ \t]*$|\d{1,9}[.)]?$)/.test(line);
}

/** The offset before the last character of the line. */
function toCharacterEnd({ text, end }: Line): number {
  return end - (/[\uD800-\uDBFF]/.test(text.charAt(text.length - 2)) ? 2 : 1);
}

/** Characters of inline markup, and ends of words. Markup that is escaped or between spaces does not count. */
const SIGN = new RegExp(
  [
    '\\\\[^\\n]',
    '`+',
    '\\*\\*|~~',
    '\\*(?=\\S)|(?<=\\S)\\*',
    '(?<![\\p{L}\\p{N}])_(?=\\S)|(?<=\\S)_(?![\\p{L}\\p{N}])',
    '\\]\\(|[[\\])>]',
    '<(?=\\S)',
    '\\s',
    // A character of a script without spaces. It ends a word unless the next character combines with it.
    '[\\u3000-\\u9fff\\uac00-\\ud7af\\uff00-\\uffef](?![\\p{M}\\u200d]|$)',
  ].join('|'),
  'gu',
);

/** Only the outermost brackets count: inside a label there is no link. */
const CLOSED: Record<string, string> = { ']': '[', '](': '[', ')': '(', '>': '<' };

/** Reads a line, given what is `open` before it, and notes what is open after it. Returns the last end of a word. */
function readInline({ text, isBegun }: Line, open: Set<string>): number {
  const from = isBegun ? 0 : readLineMarkers(text).length;
  let word = 0;
  for (const { 0: sign, index } of text.slice(from).matchAll(SIGN)) {
    note(open, sign);
    if (open.size === 0 && isWordEnd(sign)) word = from + index + sign.length;
  }
  return word;
}

function isWordEnd(sign: string): boolean {
  return /^[\s\u3000-\uffef]/.test(sign);
}

function note(open: Set<string>, sign: string): void {
  // In code, only its end counts.
  const code = open.size === 0 ? undefined : [...open].find((one) => one.startsWith('`'));
  if (code !== undefined && code !== sign) return;
  if (isWordEnd(sign)) {
    // An address ends at a space, and a tag at the end of the line.
    open.delete('(');
    if (sign === '\n') open.delete('<');
  } else if (sign in CLOSED) open.delete(CLOSED[sign] ?? '');
  else if (open.has(sign) && sign !== '[' && sign !== '<') open.delete(sign);
  else if (!sign.startsWith('\\')) open.add(sign);
  if (sign === '](') open.add('(');
}
