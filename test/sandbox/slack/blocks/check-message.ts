/** What Slack checks about a message as a whole, after it has checked its blocks one by one. */
import { isObject } from '../json.ts';
import type { Block, Json } from '../records.ts';
import { checkBlocks } from './check-blocks.ts';
import { expandBlocks } from './expand-markdown.ts';
import { encodeEntities } from './markup.ts';

/** `error` is Slack's own word; `messages` say where. */
export type Refusal = { error: string; messages: string[] };

export type MessageSize = { blocks: number; characters: number; tables: number };

/** https://docs.slack.dev/reference/block-kit/blocks */
const MAX_BLOCKS = 50;

/** Measured, not documented: https://github.com/slackapi/bolt-js/issues/2509 (13,297 without anything beside the text). */
const MAX_CHARACTERS = 13_200;

/** Measured in the same place: what these cost beside their text. */
const EXTRA: Record<string, number> = { header: 100, divider: 125 };

/** Undefined where Slack takes the blocks. */
export function checkMessage(blocks: unknown): Refusal | undefined {
  const messages = checkBlocks(blocks);
  if (messages.length > 0) return { error: 'invalid_blocks', messages };
  const size = measureMessage(blocks as Block[]);
  if (size.tables > 1) return { error: 'only_one_table_allowed', messages: [`${size.tables} tables`] };
  if (size.blocks > MAX_BLOCKS) return { error: 'msg_blocks_too_long', messages: [`${size.blocks} blocks`] };
  if (size.characters > MAX_CHARACTERS) {
    return { error: 'msg_blocks_too_long', messages: [`${size.characters} characters`] };
  }
  return undefined;
}

/** Of blocks as they are sent: characters as they were written, blocks and tables as they are after expansion. */
export function measureMessage(blocks: Block[]): MessageSize {
  const expanded = expandBlocks(blocks);
  const extra = expanded.reduce((sum, { type }) => sum + (EXTRA[type] ?? 0), 0);
  return {
    blocks: expanded.length,
    characters: blocks.reduce((sum, block) => sum + countText(block), extra),
    tables: expanded.filter(({ type }) => type === 'table').length,
  };
}

const TEXTS = ['text', 'url', 'title', 'alt_text'];

/** UTF-16 units of all text below; `&`, `<` and `>` count as the entities that Slack keeps them as. */
function countText(node: Json): number {
  return Object.entries(node).reduce((sum, [name, value]) => {
    if (typeof value === 'string') return sum + (TEXTS.includes(name) ? encodeEntities(value).length : 0);
    return (
      sum +
      [value]
        .flat(2)
        .filter(isObject)
        .reduce((inner, item) => inner + countText(item), 0)
    );
  }, 0);
}
