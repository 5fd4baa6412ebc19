import { countCharacters } from './message-budget.ts';

/** What has to be repeated around a cut, so that both parts keep their meaning. */
export type Surroundings = { opening: string; closing: string };

export const NOTHING: Surroundings = { opening: '', closing: '' };

export type Line = {
  /** The offset after the line and its line break. */
  end: number;
  isBlank: boolean;
  /** Whether a cut after it looks good. */
  mayEndPart: boolean;
  surroundings: Surroundings;
  /** As Slack counts them; `blocks`: 1 if a block begins with this line. */
  characters: number;
  blocks: 0 | 1;
  /** Of a table: its first row, the dashes below, or a later row. */
  row?: 'first' | 'dashes' | 'later' | undefined;
};

/** An open code block: the text before its fence, its backticks or tildes, and what follows them. */
export type Fence = { prefix: string; marker: string; info: string };

/** The start of a line: indentation, quote markers, bullets and numbers. */
export const LINE_MARKERS = '(?:[ \\t>]|[-*+][ \\t]|\\d{1,9}[.)][ \\t])*';

/** The lines of a text, each with what a cut after it has to repeat: at most `most` characters. */
export function readLines(markdown: string, most: number): Line[] {
  const texts = markdown.split(/(?<=\n)/);
  const readSurroundings = createSurroundingsReader(most);
  const lines: Line[] = [];
  let end = 0;
  let fence: Fence | undefined;
  let inside: Inside = 'nothing';
  let isHeld = false;
  for (const [index, text] of texts.entries()) {
    const before = fence;
    fence = toFenceAfter(text, before);
    const next = texts[index + 1] ?? '';
    const step = readBlock(inside, { text, next, before, after: fence });
    const { blocks, row } = step;
    inside = step.inside;
    const last = lines.at(-1);
    // A table right after another one has a heading of its own.
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

/** The code block that is open after a line, given the one that was open before it. */
export function toFenceAfter(line: string, open: Fence | undefined): Fence | undefined {
  if (open === undefined) {
    return readOpening(line);
  }
  const marker = CLOSING.exec(line)?.[1];
  return marker?.startsWith(open.marker) ? undefined : open;
}

export function readLineMarkers(line: string): string {
  return MARKED.exec(line)?.[0] ?? '';
}

/** The line of dashes below the first row of a table. */
export function isTableDelimiter(text: string): boolean {
  return /[|:]/.test(text) && text.includes('-') && /^[-:| \t>\r\n]+$/.test(text);
}

const MARKED = new RegExp(`^${LINE_MARKERS}`);

const OPENING = new RegExp(`^(${LINE_MARKERS})(\`{3,}|~{3,})([^\\r\\n]*)`);
const CLOSING = /^[ \t>]*(`{3,}|~{3,})[ \t\r\n]*$/;

function readOpening(line: string): Fence | undefined {
  const [, prefix = '', marker = '', info = ''] = OPENING.exec(line) ?? [];
  if (marker === '' || (marker.startsWith('`') && info.includes('`'))) {
    return undefined;
  }
  return { prefix, marker, info };
}

const HEADING = /^ {0,3}#{1,6}[ \t]/;

// A heading stays with the text after it, unless that is another heading.
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

type LineRead = { text: string; next: string; fence: Fence | undefined; row: Line['row'] };

/** Reads line by line. A long heading or fence is processed once, not for each line after it. */
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

// A table that continues needs its heading again: its first row, and the dashes.
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

function toCodeSurroundings({ prefix, marker, info }: Fence, most: number): Surroundings {
  // After a list marker the code continues without it, but not indented so far that the fence would be code itself.
  const indent = prefix.replace(/[^ \t>]/g, ' ').replace(/[ \t]{4,}/g, '   ');
  const isLong = (text: string) => countCharacters(text) > most / 4;
  const fence = (isLong(indent) ? '' : indent) + (isLong(marker) ? marker.slice(0, 3) : marker);
  return { opening: `${fence}${isLong(info) ? '' : info.trimEnd()}\n`, closing: fence };
}

// The blocks that Slack makes of our Markdown: a header for each heading, one block for each fence, table and divider, and
// one for each run of anything else (https://docs.slack.dev/reference/block-kit/blocks/markdown-block). If Markdown
// readers disagree, we count the greater number of blocks.
type LineBlocks = Pick<Line, 'blocks' | 'row'>;

/** `tail`: part of the table or a run after it; `break`: the same after a heading or divider. */
export type Inside = 'run' | 'dashes' | 'table' | 'tail' | 'break' | 'nothing';

type Step = LineBlocks & { inside: Inside };

const HEADING_LINE = new RegExp(`^${LINE_MARKERS}#{1,6}(?:\\s|$)`);

// A heading or a divider in all Markdown readers.
const ENDS_TABLE = /^ {0,3}(?:#{1,6}(?:\s|$)|(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\r?\n?$)/;

const CONTAINER = /^[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])/;

// A divider, or an underline that turns the line above into a heading.
const RULE = /^[ \t>]*(?:(?:-[ \t]*)+|(?:=[ \t]*)+|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\r?\n?$/;

/** `before` and `after`: the code block that is open before and after the line. */
type Beside = { text: string; next: string; before: Fence | undefined; after: Fence | undefined };

/** What a line is, given what it is in. */
export function readBlock(inside: Inside, { text, next, before, after }: Beside): Step {
  if (before !== undefined) return { inside, blocks: 0 };
  return after === undefined ? readLine(inside, text, next) : begin('nothing');
}

function readLine(inside: Inside, text: string, next: string): Step {
  if (text.trim() === '') return { inside: inside === 'run' ? 'run' : 'nothing', blocks: 0 };
  if (inside === 'dashes') return { inside: 'table', blocks: 0, row: 'dashes' };
  if (isTable(inside) && !ENDS_TABLE.test(text)) return readRow(inside, text, next);
  if (mayBegin(text)) return begin('nothing');
  if (isTableDelimiter(next)) return beginTable();
  return inside === 'run' ? { inside, blocks: 0 } : begin('run');
}

function readRow(inside: Inside, text: string, next: string): Step {
  const isBreak = mayBegin(text);
  // Some readers take these as one more row, some end the table before them.
  const isTail = inside === 'table' && (!text.includes('|') || CONTAINER.test(text));
  const after = isBreak ? 'break' : isTail || inside === 'break' ? 'tail' : inside;
  if (after !== 'table' && isTableDelimiter(next)) return beginTable();
  return { inside: after, blocks: isBreak || after !== inside ? 1 : 0, row: 'later' };
}

function begin(inside: Inside): Step {
  return { inside, blocks: 1 };
}

function beginTable(): Step {
  return { ...begin('dashes'), row: 'first' };
}

function isTable(inside: Inside): boolean {
  return inside !== 'run' && inside !== 'nothing';
}

function mayBegin(text: string): boolean {
  return HEADING_LINE.test(text) || RULE.test(text);
}
