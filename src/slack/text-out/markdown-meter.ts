import { MAX_TABLE_ROWS, MAX_TABLES } from '../web/limits.ts';
import type { Line } from './markdown-lines.ts';
import { BLOCK_COST, type Budget, countCharacters, entityCost, MAX_TABLE_CHARACTERS } from './message-budget.ts';

/** Where a part begins: `firstLine` is the first line that ends after `start`; `opening` goes before it. */
type From = { start: number; firstLine: number; opening: string };

type Text = { markdown: string; lines: Line[]; budget: Budget };

/**
 * The furthest offset such that the text up to it is within the budget, together with its opening and with so many more
 * characters. It is beyond the start, and splits no surrogate pair.
 */
export function measurePart({ markdown, lines, budget }: Text, from: From, reserve: number): number {
  const { start, firstLine, opening } = from;
  const first = lines[firstLine];
  if (first === undefined) return markdown.length;
  const table = beginTable(first, opening);
  addRow(table, first, first.end - start);
  // What goes on from the part before makes a block of its own.
  const room = budget.characters - countCharacters(opening) - reserve - BLOCK_COST;
  const characters = countUpTo(markdown, { from: start, to: first.end }, room);
  if (characters > room || isTooLarge(table)) {
    const most = first.row === undefined ? room : Math.min(room, MAX_TABLE_CHARACTERS - opening.length);
    return Math.max(toEnd(markdown, start, most), toNext(markdown, start));
  }
  return measureRest({ markdown, lines, budget }, { firstLine, table, room: room - characters });
}

type Begun = { firstLine: number; table: Table; room: number };

/** After the first line. */
function measureRest({ markdown, lines, budget }: Text, { firstLine, table, ...begun }: Begun): number {
  let { room } = begun;
  let blocks = 1;
  let lineStart = lines[firstLine]?.end ?? 0;
  for (let index = firstLine + 1; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined) break;
    addRow(table, line, line.end - lineStart);
    blocks += line.blocks;
    if (blocks > budget.blocks || isTooLarge(table)) return lineStart;
    room -= line.blocks * BLOCK_COST;
    if (line.characters > room) return toEnd(markdown, lineStart, room);
    room -= line.characters;
    lineStart = line.end;
  }
  return markdown.length;
}

type Table = { count: number; rows: number; characters: number };

/** One that goes on may have its heading repeated; without that its rows may still look like a table. */
function beginTable({ row }: Line, opening: string): Table {
  const goesOn = row === 'later' || row === 'dashes';
  return goesOn ? { count: 1, rows: 2, characters: opening.length } : { count: 0, rows: 0, characters: 0 };
}

function addRow(table: Table, { row }: Line, length: number): void {
  if (row === undefined) return;
  table.characters += length;
  if (row === 'first') table.count += 1;
  // Dashes too: below a line that may or may not end a table they may be one more row of it.
  table.rows += 1;
}

function isTooLarge({ count, rows, characters }: Table): boolean {
  return count > MAX_TABLES || rows > MAX_TABLE_ROWS || characters > MAX_TABLE_CHARACTERS;
}

/** What a stretch counts; where that is more than `most`, only that much of it is looked at. */
function countUpTo(markdown: string, { from, to }: { from: number; to: number }, most: number): number {
  return countCharacters(markdown.slice(from, Math.min(to, from + Math.max(0, most) + 1)));
}

/** The furthest offset such that the text up to it counts no more than so much, and no surrogate pair is split. */
function toEnd(markdown: string, start: number, characters: number): number {
  let left = characters;
  let offset = start;
  while (offset < markdown.length) {
    const next = toNext(markdown, offset);
    left -= next - offset + entityCost(markdown.charCodeAt(offset));
    if (left < 0) break;
    offset = next;
  }
  return offset;
}

function toNext(markdown: string, offset: number): number {
  return offset + ((markdown.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1);
}
