import { type Fence, toFenceAfter } from './fences.ts';
import { createBlockReader } from './markdown-blocks.ts';
import { countCharacters } from './message-budget.ts';

/** What has to be repeated around a cut, so that both sides mean what the whole meant. */
export type Surroundings = { opening: string; closing: string };

export type Line = {
  /** The offset after the line and its line break. */
  end: number;
  isBlank: boolean;
  /** A cut after it leaves nothing odd behind. */
  mayEndPart: boolean;
  surroundings: Surroundings;
  /** What it counts; `blocks`: 1 where one begins with it. */
  characters: number;
  blocks: 0 | 1;
  /** Of a table: its first row, the dashes below, or a later row. */
  row?: 'first' | 'dashes' | 'later' | undefined;
};

const NOTHING: Surroundings = { opening: '', closing: '' };

/** The lines of a text with what a cut after each of them has to repeat, of which there are at most `most` characters. */
export function readLines(markdown: string, most: number): Line[] {
  const texts = markdown.split(/(?<=\n)/);
  const readBlock = createBlockReader();
  const readSurroundings = createSurroundingsReader(most);
  const lines: Line[] = [];
  let end = 0;
  let fence: Fence | undefined;
  let isHeld = false;
  for (const [index, text] of texts.entries()) {
    const before = fence;
    fence = toFenceAfter(text, before);
    const next = texts[index + 1] ?? '';
    const { blocks, row } = readBlock(text, next, before, fence);
    const last = lines.at(-1);
    // A table that follows another one closely has a heading of its own.
    if (row === 'first' && last !== undefined) last.surroundings = NOTHING;
    end += text.length;
    const isText = before === undefined && fence === undefined;
    const isBlank = text.trim() === '' && fence === undefined;
    isHeld = isBlank ? isHeld : isText && holdsNext(texts, index);
    const isAmongHeadings = isHeld || row === 'first' || row === 'dashes';
    lines.push({
      end,
      isBlank,
      mayEndPart: fence === undefined ? !isAmongHeadings : before !== undefined && !isClosing(next, fence),
      surroundings: readSurroundings({ text, next, fence, row }),
      characters: countCharacters(text),
      blocks,
      row,
    });
  }
  return lines;
}

type LineRead = { text: string; next: string; fence: Fence | undefined; row: Line['row'] };

/** Reads one line after the other. What is long is looked at once, and not for each line that follows it. */
function createSurroundingsReader(most: number) {
  const readHeading = createHeadingReader(most);
  let open: Fence | undefined;
  let code = NOTHING;
  return ({ text, next, fence, row }: LineRead): Surroundings => {
    const heading = readHeading(text, row);
    if (fence !== undefined && fence !== open) code = toCodeSurroundings(fence, most);
    open = fence;
    if (fence !== undefined) return code;
    return heading !== '' && next.includes('|') ? { opening: heading, closing: '' } : NOTHING;
  };
}

// A table that goes on needs its heading again: its first row, and the dashes.
function createHeadingReader(most: number) {
  let firstRow = '';
  let heading = '';
  return (text: string, row: Line['row']): string => {
    if (row === 'dashes' && countCharacters(firstRow + text) <= most) heading = firstRow + text;
    else if (row !== 'later') heading = '';
    firstRow = row === 'first' ? text : '';
    return heading;
  };
}

const HEADING = /^ {0,3}#{1,6}[ \t]/;

// A heading stays with what it is about, unless that is another heading.
function holdsNext(texts: string[], index: number): boolean {
  if (!HEADING.test(texts[index] ?? '')) return false;
  let next = index + 1;
  while (next < texts.length && texts[next]?.trim() === '') next += 1;
  return next < texts.length && !HEADING.test(texts[next] ?? '');
}

// A part that begins with a closing fence would show an empty code block.
function isClosing(next: string, fence: Fence): boolean {
  return toFenceAfter(next, fence) === undefined;
}

function toCodeSurroundings({ prefix, marker, info }: Fence, most: number): Surroundings {
  // Behind a list marker the code goes on unmarked, and not so far indented that the fence would be code itself.
  const indent = prefix.replace(/[^ \t>]/g, ' ').replace(/[ \t]{4,}/g, '   ');
  const isLong = (text: string) => countCharacters(text) > most / 4;
  const fence = (isLong(indent) ? '' : indent) + (isLong(marker) ? marker.slice(0, 3) : marker);
  return { opening: `${fence}${isLong(info) ? '' : info.trimEnd()}\n`, closing: fence };
}
