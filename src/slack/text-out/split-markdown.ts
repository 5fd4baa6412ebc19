import { LINE_MARKERS, type Line, NOTHING, readLines, type Surroundings, toFenceAfter } from './markdown-lines.ts';
import { measurePart } from './markdown-meter.ts';
import { BLOCK_COST, type Budget, countCharacters, LONGEST_ENTITY } from './message-budget.ts';
import { narrowTables } from './narrow-tables.ts';
import { GRAPHEMES } from './plain-text.ts';

/** A part of a text: `body` is from the text; `opening` and `closing` continue a block that was cut. */
type Cut = { opening: string; body: string; closing: string };

const LEAST_CHARACTERS = 100 + BLOCK_COST;
const LEAST_BLOCKS = 2;

/**
 * Splits Slack Markdown into parts, each within the budget of a message, at the least noticeable places. Code blocks are
 * closed and opened again, table headings are repeated, and tables with more columns than Slack accepts become several;
 * otherwise the parts together are the text. There is at least one part, even of a blank text. If there are more than
 * `most`, that many and one more are returned.
 */
export function splitMarkdown(markdown: string, budget: Budget, most = Number.POSITIVE_INFINITY): string[] {
  if (isShort(markdown, budget)) return [markdown];
  const parts = cutMarkdown(narrowTables(markdown), budget, most).filter(({ body }) => body.trim() !== '');
  return parts.length === 0
    ? [markdown.slice(0, 1)]
    : parts.map(({ opening, body, closing }) => opening + outdentFence(opening, body) + closing);
}

/** The parts of a text. Their bodies together are the text, up to `most` parts and one more. */
export function cutMarkdown(markdown: string, budget: Budget, most = Number.POSITIVE_INFINITY): Cut[] {
  if (budget.characters < LEAST_CHARACTERS || budget.blocks < LEAST_BLOCKS) {
    throw new RangeError(
      `a budget of ${budget.characters} characters and ${budget.blocks} blocks leaves no room for text`,
    );
  }
  const lines = readLines(markdown, Math.floor((budget.characters - BLOCK_COST) / 4));
  const text = { markdown, lines, budget, findIndivisible: createIndivisibleFinder(markdown) };
  const closings = new Set(lines.map(({ surroundings }) => surroundings.closing));
  const reserve = [...closings].reduce((longest, closing) => Math.max(longest, 1 + countCharacters(closing)), 1);
  const cuts: Cut[] = [];
  let opening = '';
  let start = 0;
  let firstLine = 0;
  while (start < markdown.length && cuts.length <= most) {
    const from = { start, firstLine, opening };
    if (measurePart(text, from, 0) === markdown.length) {
      cuts.push({ opening, body: markdown.slice(start), closing: '' });
      break;
    }
    const end = chooseEnd(text, { start, end: measurePart(text, from, reserve), firstLine });
    firstLine = findLine(lines, end, firstLine);
    const surroundings = toSurroundings(text, end, firstLine);
    const body = markdown.slice(start, end);
    const lineBreak = surroundings.closing === '' || body.endsWith('\n') ? '' : '\n';
    cuts.push({ opening, body, closing: lineBreak + surroundings.closing });
    ({ opening } = surroundings);
    start = end;
    while ((lines[firstLine]?.end ?? Number.POSITIVE_INFINITY) <= start) firstLine += 1;
  }
  return cuts.length === 0 ? [{ opening: '', body: markdown, closing: '' }] : cuts;
}

/** Whether it fits even if each line were a block and each character an entity, as most answers do. */
function isShort(markdown: string, { blocks, characters }: Budget): boolean {
  if (markdown.includes('|') || markdown.length * LONGEST_ENTITY > characters) return false;
  const lines = markdown.split('\n').length;
  return lines <= blocks && markdown.length * LONGEST_ENTITY + lines * BLOCK_COST <= characters;
}

// Code from a nested list continues without the list. Indented by four, its closing fence would no longer close it.
function outdentFence(opening: string, body: string): string {
  const fence = toFenceAfter(opening, undefined);
  if (fence === undefined) {
    return body;
  }
  const lines = body.split('\n');
  const end = lines.findIndex((line) => toFenceAfter(line, fence) === undefined);
  return lines
    .map((line, index) => (index === end ? line.replace(/(?<![ \t])[ \t]{4,}(?=`|~)/, '   ') : line))
    .join('\n');
}

type Text = { markdown: string; lines: Line[]; findIndivisible: FindIndivisible };

type Window = { start: number; end: number; firstLine: number };

// Prefers a blank line, a line end, a sentence, a word, in this order, if the part is then at least half full.
function chooseEnd(text: Text, window: Window): number {
  const half = (window.start + window.end) / 2;
  const { blank, line } = findLineEnds(text, window);
  const candidates = [
    () => (blank > half ? blank : 0),
    () => (line > half ? line : 0),
    () => findBackwards(text, window.end, half, isSentenceEnd),
    () => findBackwards(text, window.end, half, isWordEnd),
    () => blank || line || findBackwards(text, half, window.start, isWordEnd),
  ];
  for (const candidate of candidates) {
    const end = candidate();
    if (end > window.start) {
      return end;
    }
  }
  return toHardEnd(text, window);
}

function findLineEnds({ lines, findIndivisible }: Text, window: Window): { blank: number; line: number } {
  const found = { blank: 0, line: 0 };
  for (let index = window.firstLine; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined || line.end > window.end) {
      break;
    }
    if (line.end > window.start && line.mayEndPart && findIndivisible(line.end) === undefined) {
      found.line = line.end;
      found.blank = line.isBlank ? line.end : found.blank;
    }
  }
  return found;
}

function findBackwards(
  { markdown, findIndivisible }: Text,
  from: number,
  to: number,
  isEnd: (markdown: string, offset: number) => boolean,
): number {
  for (let offset = Math.floor(from); offset > to; offset -= 1) {
    if (isEnd(markdown, offset) && findIndivisible(offset) === undefined) {
      return offset;
    }
  }
  return 0;
}

// Line ends are not included: mayEndPart tells which of them are good.
function isWordEnd(markdown: string, offset: number): boolean {
  const last = markdown.charCodeAt(offset - 1);
  return last !== 0x0a && isSpace(last) && !isSpace(markdown.charCodeAt(offset));
}

function isSentenceEnd(markdown: string, offset: number): boolean {
  const last = markdown.charAt(offset - 1);
  return '。！？'.includes(last) || (isWordEnd(markdown, offset) && '.!?…'.includes(markdown.charAt(offset - 2)));
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}

// A link longer than a whole part has to be cut; a character or an entity never is.
function toHardEnd({ markdown, findIndivisible }: Text, window: Window): number {
  const indivisible = findIndivisible(window.end) ?? 0;
  if (indivisible > window.start) {
    return indivisible;
  }
  const border = toCharacterBorder(markdown, window.end);
  return border > window.start ? border : window.end;
}

/** The first line that does not end before an offset. */
function findLine(lines: Line[], offset: number, from: number): number {
  let index = from;
  while ((lines[index]?.end ?? offset) < offset) {
    index += 1;
  }
  return index;
}

// After a cut within a line, the code block that was open before it has to be closed. Its opening line may itself be cut.
function toSurroundings({ markdown, lines }: Text, end: number, index: number): Surroundings {
  const line = lines[index];
  const before = lines[index - 1];
  if (line === undefined || line.end === end) {
    return line?.surroundings ?? NOTHING;
  }
  const isInOpening = isOpened(markdown.slice(before?.end ?? 0, end), line);
  const { opening, closing } = (isInOpening ? line : before)?.surroundings ?? NOTHING;
  // The rest of a quoted line needs its marker again; without it the quote and the code would end.
  const marker = /^[ \t]*>[ \t>]*/.exec(opening)?.[0] ?? '';
  return closing === '' ? NOTHING : { opening: opening + marker, closing };
}

function isOpened(cutLine: string, { surroundings }: Line): boolean {
  return surroundings.closing !== '' && /`{3}|~{3}/.test(cutLine);
}

type Range = { start: number; end: number };

// Fences, links as we write them with their host, bare addresses, and inline code. Each alternative stops at the
// character with which the next match could start, so the search takes linear time.
const INDIVISIBLE = new RegExp(
  [
    `^${LINE_MARKERS}(?:\`{3,}|~{3,})[^\\n]*`,
    '(?<!\\\\)\\[(?:\\\\.|`[^`\\n]+`|[^\\\\[\\]`])*\\]\\([^()\\s]*\\)(?: \\([^()\\s]{1,255}\\))?',
    'https?://[^\\s<>[\\]()`]+',
    '`[^`\\n]+`',
  ].join('|'),
  'gm',
);

// Longer combining sequences do not occur in real text.
const LONGEST_GRAPHEME = 64;

/** Returns the start of the indivisible range that an offset lies in, if any. */
type FindIndivisible = (offset: number) => number | undefined;

function createIndivisibleFinder(markdown: string): FindIndivisible {
  const ranges: Range[] = [];
  for (const match of markdown.matchAll(INDIVISIBLE)) {
    ranges.push({ start: match.index, end: match.index + match[0].length });
  }
  return (offset) => {
    const range = findLastBefore(ranges, offset);
    return range !== undefined && offset < range.end ? range.start : undefined;
  };
}

/** The nearest offset at or before this one that splits no entity and no character as people see it. */
function toCharacterBorder(markdown: string, offset: number): number {
  const from = Math.max(0, offset - 12);
  const entity = from + markdown.slice(from, offset).lastIndexOf('&');
  const isInEntity = entity >= from && /^&#?\w{1,10};/.exec(markdown.slice(entity, entity + 13));
  const border = isInEntity && entity + isInEntity[0].length > offset ? entity : offset;
  const before = toCodePointBorder(markdown, Math.max(0, border - LONGEST_GRAPHEME));
  const segment = GRAPHEMES.segment(markdown.slice(before, border + LONGEST_GRAPHEME)).containing(border - before);
  return segment === undefined || segment.index === 0 ? toCodePointBorder(markdown, border) : before + segment.index;
}

function toCodePointBorder(markdown: string, offset: number): number {
  const isSplit =
    /[\uDC00-\uDFFF]/.test(markdown.charAt(offset)) && /[\uD800-\uDBFF]/.test(markdown.charAt(offset - 1));
  return isSplit ? offset - 1 : offset;
}

function findLastBefore(ranges: Range[], offset: number): Range | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? 0) < offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return ranges[low - 1];
}
