/** What Slack makes of a `markdown` block: https://docs.slack.dev/reference/block-kit/blocks/markdown-block */
import type { Block, Json } from '../records.ts';
import { expandRun } from './expand-run.ts';
import { decodeEntities } from './markup.ts';

const FENCE = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const DIVIDER = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;

/**
 * The blocks that a message holds afterwards: a header for each heading, one block for each fence, table and divider,
 * and a rich_text for each run of anything else. Read line by line, so that no text takes long.
 */
export function expandMarkdown(markdown: string): Block[] {
  const lines = markdown.split(/\r?\n/);
  const blocks: Block[] = [];
  let run: string[] = [];
  const add = (...added: Block[]) => {
    blocks.push(...toRun(run), ...added);
    run = [];
  };
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      const end = findFenceEnd(lines, index + 1, fence);
      const code = lines.slice(index + 1, end).join('\n');
      const elements = [{ type: 'text', text: code || ' ' }];
      add({ type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements }] });
      index = end;
    } else if (HEADING.test(line)) {
      add(toHeader(line.replace(HEADING, '')));
    } else if (UNDERLINE.test(line) && run.at(-1)?.trim()) {
      const heading = String(run.pop());
      add(toHeader(heading));
    } else if (DIVIDER.test(line)) {
      add({ type: 'divider' });
    } else if (isTable(line, lines[index + 1])) {
      const end = findTableEnd(lines, index + 2);
      const rows = [line, ...lines.slice(index + 2, end)].map((row) => splitRow(row).map(toCell));
      add({ type: 'table', rows });
      index = end - 1;
    } else {
      run.push(line);
    }
  }
  add();
  return blocks;
}

function toRun(lines: string[]): Block[] {
  const elements = expandRun(lines);
  return elements.length === 0 ? [] : [{ type: 'rich_text', elements }];
}

/** Blocks as they are in the message that comes of them. */
export function expandBlocks(blocks: Block[]): Block[] {
  return blocks.flatMap((block) =>
    block.type === 'markdown' && typeof block.text === 'string' ? expandMarkdown(block.text) : [block],
  );
}

function findFenceEnd(lines: string[], from: number, fence: string): number {
  for (let index = from; index < lines.length; index += 1) {
    const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(lines[index] ?? '')?.[1];
    if (closing?.startsWith(fence)) return index;
  }
  return lines.length;
}

function isTable(line: string, next: string | undefined): boolean {
  if (next === undefined || line.trim() === '' || !/[|:]/.test(next)) return false;
  const dashes = splitRow(next);
  return dashes.every((cell) => /^:?-+:?$/.test(cell)) && dashes.length === splitRow(line).length;
}

const ENDS_TABLE = [HEADING, FENCE, DIVIDER, /^ {0,3}>/];

/** A table goes on until a blank line or another kind of block. */
function findTableEnd(lines: string[], from: number): number {
  let end = from;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    if (line.trim() === '' || ENDS_TABLE.some((end) => end.test(line))) break;
  }
  return end;
}

function splitRow(row: string): string[] {
  const cells = row.trim().replace(/^\||(?<!\\)\|$/g, '');
  return cells.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

function toCell(text: string): Json {
  return { type: 'raw_text', text: decodeEntities(text) || ' ' };
}

/** Longer headings are accepted in a `markdown` block; a `header` that is sent takes no more than this. */
const MAX_HEADER = 150;

function toHeader(heading: string): Block {
  const text = decodeEntities(heading.replace(/[ \t]+#*[ \t]*$/, '').replace(/[*`]/g, '')).trim();
  return { type: 'header', text: { type: 'plain_text', text: text.slice(0, MAX_HEADER) || ' ', emoji: true } };
}
