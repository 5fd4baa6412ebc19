import type { AnyBlock } from '@slack/types';
import type { SharedMessage } from '../../conversation/outcome.ts';
import type { ReplyForm } from '../../conversation/turn.ts';
import { MESSAGE_BUDGET, packBlocks, SMALL_BUDGET } from '../text-out/message-budget.ts';
import { splitMarkdown } from '../text-out/split-markdown.ts';
import type { Content } from './content.ts';
import { buildPlainMessages } from './plain-message.ts';

/**
 * An answer that its asker shows to the thread, with its sources and notes, without its buttons. Slack gives the blocks of
 * a message back as it has expanded them, so that they are divided anew.
 */
export function buildSharedMessages(user: string, messages: SharedMessage[], form?: ReplyForm): Content[] {
  const label = `<@${user}> shares an answer they got with their own access rights.`;
  const labelBlock = { type: 'context' as const, elements: [{ type: 'mrkdwn' as const, text: label }] };
  const contents = messages.flatMap((message) => toContents(message, form));
  return contents.map(({ text, blocks }, index) => ({ text, blocks: index === 0 ? [labelBlock, ...blocks] : blocks }));
}

function toContents({ text, blocks }: SharedMessage, form: ReplyForm | undefined): Content[] {
  if (form === 'plain') return buildPlainMessages(toWords(blocks) || text);
  const budget = form === 'small' ? SMALL_BUDGET : MESSAGE_BUDGET;
  const room = { ...budget, blocks: budget.blocks - 1 };
  const groups = (blocks as AnyBlock[]).flatMap((block): AnyBlock[][] => {
    if (block.type !== 'markdown' || !('text' in block) || typeof block.text !== 'string') return [[block]];
    return splitMarkdown(block.text, room).map((part) => [{ type: 'markdown', text: part }]);
  });
  return packBlocks(groups, room).map((packed) => ({ text, blocks: packed }));
}

/** Blocks that begin on a line of their own, within rich text. */
const LINES = new Set(['rich_text_section', 'rich_text_preformatted', 'rich_text_quote']);

/** What blocks say, without their markup. */
function toWords(node: unknown): string {
  if (Array.isArray(node)) return node.map(toWords).join('');
  if (typeof node !== 'object' || node === null) return '';
  const { type, text, url, ...rest } = node as Record<string, unknown>;
  const own = typeof text === 'string' ? text : typeof url === 'string' ? url : toWords(text);
  const words = own + Object.values(rest).map(toWords).join('');
  const endsLine = LINES.has(String(type)) || 'block_id' in node || isBlock(String(type));
  return words !== '' && endsLine ? `${words}\n` : words;
}

function isBlock(type: string): boolean {
  return ['header', 'section', 'context', 'markdown', 'table', 'rich_text'].includes(type);
}
