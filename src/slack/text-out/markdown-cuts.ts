import { createIndivisibleFinder, type FindIndivisible, toCharacterBorder } from './indivisible.ts';
import { type Line, readLines, type Surroundings } from './markdown-lines.ts';
import { measurePart } from './markdown-meter.ts';
import { BLOCK_COST, type Budget, countCharacters } from './message-budget.ts';

/** A part of a text: `body` is the text's own, the rest closes and opens again what the cut goes through. */
export type Cut = { opening: string; body: string; closing: string };

const LEAST_CHARACTERS = 100 + BLOCK_COST;
const LEAST_BLOCKS = 2;

const NOTHING: Surroundings = { opening: '', closing: '' };

type Text = { markdown: string; lines: Line[]; findIndivisible: FindIndivisible };

type Window = { start: number; end: number; firstLine: number };

/**
 * The parts of a text, each within the budget of a message. Their bodies, joined, are the text: as much of it as `most`
 * parts hold, and one more.
 */
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
