// What Slack makes of our Markdown, line by line: a header for each heading, one block for each fence, table and divider,
// and one for each run of anything else (https://docs.slack.dev/reference/block-kit/blocks/markdown-block). Where a reader
// of Markdown could see it either way, the count is of more blocks rather than fewer.
import type { Fence } from './fences.ts';

type LineBlocks = {
  /** 1 where a block begins with this line. */
  blocks: 0 | 1;
  /** Of a table: its first row, the dashes below, or a later row. */
  row?: 'first' | 'dashes' | 'later';
};

const HEADING = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*#{1,6}(?:\s|$)/;

// A heading or a divider, for all readers.
const ENDS_TABLE = /^ {0,3}(?:#{1,6}(?:\s|$)|(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\r?\n?$)/;

const CONTAINER = /^[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])/;

// A divider, or what makes a heading of the line above.
const RULE = /^[ \t>]*(?:(?:-[ \t]*)+|(?:=[ \t]*)+|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\r?\n?$/;

/** `tail`: perhaps of the table, perhaps a run after it; `break`: behind a heading or divider there. */
type Inside = 'run' | 'dashes' | 'table' | 'tail' | 'break' | 'nothing';

type Step = LineBlocks & { inside: Inside };

/** Reads one line after the other. `before` and `after`: the code block that is open then. */
export function createBlockReader() {
  let inside: Inside = 'nothing';
  return (text: string, next: string, before: Fence | undefined, after: Fence | undefined): LineBlocks => {
    if (before !== undefined) return { blocks: 0 };
    const step = after === undefined ? readLine(inside, text, next) : begin('nothing');
    inside = step.inside;
    return step;
  };
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
  // Some readers take these for one more row, and some end the table before them.
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
  return HEADING.test(text) || RULE.test(text);
}

/** The line of dashes below the first row of a table. */
export function isTableDelimiter(text: string): boolean {
  return /[|:]/.test(text) && text.includes('-') && /^[-:| \t>\r\n]+$/.test(text);
}
