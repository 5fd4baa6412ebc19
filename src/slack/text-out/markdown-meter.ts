import { MAX_TABLE_ROWS, MAX_TABLES } from '../web/limits.ts';
import type { Line } from './markdown-lines.ts';
import {
  BLOCK_COST,
  type Budget,
  countCharacters,
  findFurthest,
  MAX_TABLE_CHARACTERS,
  toNextCharacter,
} from './message-budget.ts';

/** Where a part begins: `firstLine` is the first line that ends after `start`; `opening` goes before it. */
type From = { start: number; firstLine: number; opening: string };

type Text = { markdown: string; lines: Line[]; budget: Budget };

/**
 * The furthest offset such that the text up to it, with its opening and `reserve` more characters, is within the budget.
 * Always beyond the start; never splits a surrogate pair.
 */
export function measurePart({ markdown, lines, budget }: Text, from: From, reserve: number): number {
  const { start, firstLine, opening } = from;
  const first = lines[firstLine];
  if (first === undefined) return markdown.length;
  const table = beginTable(first, opening);
  addRow(table, first, first.end - start);
  // Text continued from the previous part makes a block of its own.
  const room = budget.characters - countCharacters(opening) - reserve - BLOCK_COST;
  const characters = countUpTo(markdown, { from: start, to: first.end }, room);
  if (characters > room || isTooLarge(table)) {
    const most = first.row === undefined ? room : Math.min(room, MAX_TABLE_CHARACTERS - opening.length);
    return Math.max(findFurthest(markdown, start, most), toNextCharacter(markdown, start));
  }
  return measureRest({ markdown, lines, budget }, { firstLine, table, room: room - characters });
}

type Begun = { firstLine: number; table: Table; room: number };

/** `room`: characters left after the first line. */
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
    if (line.characters > room) return findFurthest(markdown, lineStart, room);
    room -= line.characters;
    lineStart = line.end;
  }
  return markdown.length;
}

type Table = { count: number; rows: number; characters: number };

/** A table that continues may have its heading repeated; even without it, its rows may look like a table. */
function beginTable({ row }: Line, opening: string): Table {
  const goesOn = row === 'later' || row === 'dashes';
  return goesOn ? { count: 1, rows: 2, characters: opening.length } : { count: 0, rows: 0, characters: 0 };
}

function addRow(table: Table, { row }: Line, length: number): void {
  if (row === undefined) return;
  table.characters += length;
  if (row === 'first') table.count += 1;
  // Dashes count too: after a line that may or may not end the table, they may be one more row.
  table.rows += 1;
}

function isTooLarge({ count, rows, characters }: Table): boolean {
  return count > MAX_TABLES || rows > MAX_TABLE_ROWS || characters > MAX_TABLE_CHARACTERS;
}

/** Counts a range of the text, but reads no further than `most` characters. */
function countUpTo(markdown: string, { from, to }: { from: number; to: number }, most: number): number {
  return countCharacters(markdown.slice(from, Math.min(to, from + Math.max(0, most) + 1)));
}
