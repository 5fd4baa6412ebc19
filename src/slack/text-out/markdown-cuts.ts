import { createIndivisibleFinder, type FindIndivisible, toCharacterBorder } from './indivisible.ts';
import { type Line, readLines, type Surroundings } from './markdown-lines.ts';

/** A part of a text: `body` is the text's own, the rest closes and opens again what the cut goes through. */
export type Cut = { opening: string; body: string; closing: string };

const SMALLEST_LIMIT = 100;

const NOTHING: Surroundings = { opening: '', closing: '' };

type Text = { markdown: string; lines: Line[]; findIndivisible: FindIndivisible };

type Window = { start: number; end: number; firstLine: number };

/** The parts of a text, each of at most `limit` UTF-8 bytes. Their bodies, joined, are the text. */
export function cutMarkdown(markdown: string, limit: number): Cut[] {
  if (limit < SMALLEST_LIMIT) {
    throw new RangeError(`a limit of ${limit} bytes leaves no room for text; the least is ${SMALLEST_LIMIT}`);
  }
  if (Buffer.byteLength(markdown) <= limit) {
    return [{ opening: '', body: markdown, closing: '' }];
  }
  const lines = readLines(markdown, Math.floor(limit / 4));
  const text = { markdown, lines, findIndivisible: createIndivisibleFinder(markdown) };
  const reserve = 1 + lines.reduce((longest, { surroundings }) => Math.max(longest, surroundings.closing.length), 0);
  const cuts: Cut[] = [];
  let opening = '';
  let start = 0;
  let firstLine = 0;
  while (start < markdown.length) {
    const room = limit - Buffer.byteLength(opening);
    if (toEnd(markdown, start, room) === markdown.length) {
      cuts.push({ opening, body: markdown.slice(start), closing: '' });
      break;
    }
    const end = chooseEnd(text, { start, end: toEnd(markdown, start, room - reserve), firstLine });
    firstLine = findLine(lines, end, firstLine);
    const surroundings = toSurroundings(text, end, firstLine);
    const body = markdown.slice(start, end);
    const lineBreak = surroundings.closing === '' || body.endsWith('\n') ? '' : '\n';
    cuts.push({ opening, body, closing: lineBreak + surroundings.closing });
    ({ opening } = surroundings);
    start = end;
  }
  return cuts;
}

// Blank line, line, sentence, word, in this order, as long as the part is at least half full; else what there is.
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

// The ends of lines are not among them: which of those are good is known.
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

// A link longer than a whole part cannot be saved; a character or an entity can.
function toHardEnd({ markdown, findIndivisible }: Text, window: Window): number {
  const indivisible = findIndivisible(window.end) ?? 0;
  if (indivisible > window.start) {
    return indivisible;
  }
  const border = toCharacterBorder(markdown, window.end);
  return border > window.start ? border : window.end;
}

/** The furthest offset such that the text up to it takes no more than so many bytes, and no surrogate pair is split. */
function toEnd(markdown: string, start: number, bytes: number): number {
  let left = bytes;
  let offset = start;
  while (offset < markdown.length) {
    const point = markdown.codePointAt(offset) ?? 0;
    left -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (left < 0) {
      break;
    }
    offset += point < 0x10000 ? 1 : 2;
  }
  return offset;
}

/** The first line that does not end before an offset. */
function findLine(lines: Line[], offset: number, from: number): number {
  let index = from;
  while ((lines[index]?.end ?? offset) < offset) {
    index += 1;
  }
  return index;
}

// Within a line, what was open before it is what has to be closed: a code block, whose opening line may itself be cut.
function toSurroundings({ markdown, lines }: Text, end: number, index: number): Surroundings {
  const line = lines[index];
  const before = lines[index - 1];
  if (line === undefined || line.end === end) {
    return line?.surroundings ?? NOTHING;
  }
  const isInOpening = isOpened(markdown.slice(before?.end ?? 0, end), line);
  const { opening, closing } = (isInOpening ? line : before)?.surroundings ?? NOTHING;
  // The rest of a quoted line has lost its marker, without which the quote and the code would end there.
  const marker = /^[ \t]*>[ \t>]*/.exec(opening)?.[0] ?? '';
  return closing === '' ? NOTHING : { opening: opening + marker, closing };
}

function isOpened(cutLine: string, { surroundings }: Line): boolean {
  return surroundings.closing !== '' && /`{3}|~{3}/.test(cutLine);
}
