import { MAX_TABLES } from '../web/limits.ts';
import { readLines } from './markdown-lines.ts';
import { BLOCK_COST, type Size } from './message-budget.ts';

/** What Slack Markdown counts in a message, once Slack has made blocks of it. */
export function measureMarkdown(markdown: string): Size {
  const size: Size = { blocks: 0, characters: 0, tables: 0 };
  for (const { blocks, characters, row } of readLines(markdown, MAX_TABLES)) {
    size.blocks += blocks;
    size.characters += characters + blocks * BLOCK_COST;
    if (row === 'first') size.tables += 1;
  }
  return size;
}
