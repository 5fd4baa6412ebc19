// How much one message may hold, and how much is in it, as Slack counts it. Every message of ours that carries what
// others wrote keeps to this.
import type { AnyBlock } from '@slack/types';
import {
  MAX_MARKDOWN_LENGTH,
  MAX_MESSAGE_BLOCKS,
  MAX_SECTION_LENGTH,
  MAX_TABLE_LENGTH,
  MAX_TABLES,
} from '../web/limits.ts';

/** `characters`: counted, see countCharacters. */
export type Budget = { blocks: number; characters: number };

/** `tables`: how many of the blocks are tables. */
export type Size = Budget & { tables: number };

/**
 * Slack counts blocks after it has made blocks of our Markdown, and takes about 13,200 characters in all of them
 * together: measured by others, not documented (https://github.com/slackapi/bolt-js/issues/2509). We stay below, because
 * how it counts is not documented either.
 */
export const MESSAGE_BUDGET: Budget = { blocks: MAX_MESSAGE_BLOCKS - 10, characters: MAX_MARKDOWN_LENGTH };

/** For what Slack has refused although it is within the other one. */
export const SMALL_BUDGET: Budget = { blocks: MESSAGE_BUDGET.blocks / 2, characters: MESSAGE_BUDGET.characters / 2 };

/** With room for what Slack counts that we do not see. */
export const MAX_TABLE_CHARACTERS = MAX_TABLE_LENGTH - 1_000;
export const SECTION_LIMIT = MAX_SECTION_LENGTH - 100;

/** What a block costs beside its text: 125 were measured for a divider, about 100 for a header. */
export const BLOCK_COST = 125;

/** UTF-16 units, with `&`, `<` and `>` as long as the entities that Slack keeps them as. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) count += entityCost(text.charCodeAt(index));
  return count;
}

/** `&amp;`. */
export const LONGEST_ENTITY = 5;

/** What a character counts beyond one. */
export function entityCost(unit: number): number {
  if (unit === 0x26) return 4;
  return unit === 0x3c || unit === 0x3e ? 3 : 0;
}

export function fits({ blocks, characters, tables }: Size, budget: Budget): boolean {
  return blocks <= budget.blocks && characters <= budget.characters && tables <= MAX_TABLES;
}

/** Of blocks other than Markdown, which becomes several: see measureMarkdown. */
export function measureBlocks(blocks: readonly AnyBlock[]): Size {
  const characters = blocks.reduce((sum, block) => sum + BLOCK_COST + countTexts(block), 0);
  return { blocks: blocks.length, characters, tables: blocks.filter(({ type }) => type === 'table').length };
}

export function addSizes(one: Size, other: Size): Size {
  return {
    blocks: one.blocks + other.blocks,
    characters: one.characters + other.characters,
    tables: one.tables + other.tables,
  };
}

const TEXTS = new Set(['text', 'url', 'title', 'alt_text']);

function countTexts(node: object): number {
  let count = 0;
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string') count += TEXTS.has(name) ? countCharacters(value) : 0;
    else if (typeof value === 'object' && value !== null) count += countTexts(value);
  }
  return count;
}

/**
 * Groups of blocks, in order, in as few messages as hold them. A group stays together; one that is more than a message
 * may hold makes up a message of its own.
 */
export function packBlocks(groups: readonly AnyBlock[][], budget: Budget): AnyBlock[][] {
  const messages: AnyBlock[][] = [];
  let size: Size = { blocks: 0, characters: 0, tables: 0 };
  for (const group of groups) {
    const more = addSizes(size, measureBlocks(group));
    const last = messages.at(-1);
    if (last !== undefined && fits(more, budget)) {
      last.push(...group);
      size = more;
    } else {
      messages.push([...group]);
      size = measureBlocks(group);
    }
  }
  return messages;
}

/**
 * Pieces of a text of at most so many characters, as Slack counts them, cut at a line end or a blank where there is one
 * in the second half. Takes time in proportion to the text, and parses nothing. No pieces of a blank text.
 */
export function splitPlain(text: string, limit: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const furthest = toFurthest(text, start, limit);
    const end = furthest === text.length ? furthest : toGoodEnd(text, start, furthest);
    const piece = text.slice(start, end).trimEnd();
    if (piece.trim() !== '') pieces.push(piece);
    start = end;
  }
  return pieces;
}

/** The same, where one piece has to do: its end is cut off, and that is shown. */
export function cutPlain(text: string, limit: number): string {
  if (countCharacters(text) <= limit) return text;
  return `${text.slice(0, toFurthest(text, 0, limit - 1))}…`;
}

function toFurthest(text: string, start: number, limit: number): number {
  let left = limit;
  let end = start;
  while (end < text.length) {
    const width = (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
    left -= width + entityCost(text.charCodeAt(end));
    if (left < 0) break;
    end += width;
  }
  return end;
}

function toGoodEnd(text: string, start: number, furthest: number): number {
  const half = start + (furthest - start) / 2;
  const line = text.lastIndexOf('\n', furthest - 1) + 1;
  if (line > half) return line;
  const blank = text.lastIndexOf(' ', furthest - 1) + 1;
  return blank > half ? blank : furthest;
}
