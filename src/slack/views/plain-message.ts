import type { AnyBlock } from '@slack/types';
import { SECTION_LIMIT } from '../text-out/message-budget.ts';
import { toPlainText } from '../text-out/plain-text.ts';
import { cutPlain, splitPlain } from '../text-out/split-plain.ts';
import type { Content } from './content.ts';

/**
 * A text in the one form that Slack cannot refuse: messages of one section each, in which nothing is markup. `end`: blocks
 * of our own, below the last.
 */
export function buildPlainMessages(text: string, end: AnyBlock[] = []): Content[] {
  const pieces = splitPlain(text, SECTION_LIMIT);
  return (pieces.length === 0 ? ['…'] : pieces).map((piece, index) => ({
    text: toPlainText(piece),
    blocks: [toSection(piece), ...(index === pieces.length - 1 ? end : [])],
  }));
}

/** The same for a message of ours, which has to stay one: its words and its buttons. */
export function toPlainContent({ text, blocks }: Content): Content {
  return {
    text,
    blocks: [toSection(cutPlain(text, SECTION_LIMIT)), ...blocks.filter(({ type }) => type === 'actions')],
  };
}

function toSection(text: string): AnyBlock {
  return { type: 'section', text: { type: 'plain_text', text, emoji: false } };
}
