// How much one message may hold, and how much is in it, as Slack counts it. Every message that carries text of others
// stays within these budgets.
import type { AnyBlock } from '@slack/types';
import {
  MAX_MARKDOWN_LENGTH,
  MAX_MESSAGE_BLOCKS,
  MAX_SECTION_LENGTH,
  MAX_TABLE_LENGTH,
  MAX_TABLES,
} from '../web/limits.ts';

/** `characters`: as countCharacters counts. */
export type Budget = { blocks: number; characters: number };

/** `tables`: how many of the blocks are tables. */
export type Size = Budget & { tables: number };

export const NO_SIZE: Size = { blocks: 0, characters: 0, tables: 0 };

/**
 * Slack counts blocks after it has turned our Markdown into blocks, and accepts about 13,200 characters in all of them
 * together: measured by others, not documented (https://github.com/slackapi/bolt-js/issues/2509). We stay below, because
 * how Slack counts is not documented either.
 */
export const MESSAGE_BUDGET: Budget = { blocks: MAX_MESSAGE_BLOCKS - 10, characters: MAX_MARKDOWN_LENGTH };

/** For messages that Slack refused although they were within MESSAGE_BUDGET. */
export const SMALL_BUDGET: Budget = { blocks: MESSAGE_BUDGET.blocks / 2, characters: MESSAGE_BUDGET.characters / 2 };

/** Below Slack's limits: it may count things that we do not see. */
export const MAX_TABLE_CHARACTERS = MAX_TABLE_LENGTH - 1_000;
export const SECTION_LIMIT = MAX_SECTION_LENGTH - 100;

/** The cost of a block without its text: 125 were measured for a divider, about 100 for a header. */
export const BLOCK_COST = 125;

/** UTF-16 units; `&`, `<` and `>` count as the entities that Slack stores. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) count += entityCost(text.charCodeAt(index));
  return count;
}

export function fits({ blocks, characters, tables }: Size, budget: Budget): boolean {
  return blocks <= budget.blocks && characters <= budget.characters && tables <= MAX_TABLES;
}

/** For blocks other than Markdown, which becomes several blocks: see packLeaves. */
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

/**
 * Packs groups of blocks, in order, into as few messages as possible. A group stays together; one that exceeds the
 * budget gets a message of its own.
 */
export function packBlocks(groups: readonly AnyBlock[][], budget: Budget): AnyBlock[][] {
  const messages: AnyBlock[][] = [];
  let size = NO_SIZE;
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
 * Splits a text into pieces of at most `limit` characters, as Slack counts them, at a line end or a space where there is
 * one in the second half of the piece. Linear time, no parsing. A blank text has no pieces.
 */
export function splitPlain(text: string, limit: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const furthest = findFurthest(text, start, limit);
    const end = furthest === text.length ? furthest : toGoodEnd(text, start, furthest);
    const piece = text.slice(start, end).trimEnd();
    if (piece.trim() !== '') pieces.push(piece);
    start = end;
  }
  return pieces;
}

/** Cuts a text to at most `limit` characters, as Slack counts them; `…` shows that the end is missing. */
export function cutPlain(text: string, limit: number): string {
  if (countCharacters(text) <= limit) return text;
  return `${text.slice(0, findFurthest(text, 0, limit - 1))}…`;
}

/** The furthest offset at which the text from `start` counts at most `limit`. Splits no surrogate pair. */
export function findFurthest(text: string, start: number, limit: number): number {
  let left = limit;
  let end = start;
  while (end < text.length) {
    const next = end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
    left -= next - end + entityCost(text.charCodeAt(end));
    if (left < 0) break;
    end = next;
  }
  return end;
}

/** How much more than 1 a character counts. */
function entityCost(unit: number): number {
  if (unit === 0x26) return 4;
  return unit === 0x3c || unit === 0x3e ? 3 : 0;
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

function toGoodEnd(text: string, start: number, furthest: number): number {
  const half = start + (furthest - start) / 2;
  const line = text.lastIndexOf('\n', furthest - 1) + 1;
  if (line > half) return line;
  const blank = text.lastIndexOf(' ', furthest - 1) + 1;
  return blank > half ? blank : furthest;
}
