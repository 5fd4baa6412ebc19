import { toPlainText } from '../text-out/plain-text.ts';
import { splitMarkdown } from '../text-out/split-markdown.ts';
import { MARKDOWN_LIMIT } from './answer-message.ts';
import type { Content } from './content.ts';

/** An answer that its asker shows to the thread. `markdown` is our own output, and safe already. */
export function buildSharedMessages(user: string, markdown: string): Content[] {
  const label = `<@${user}> shares an answer they got with their own access rights.`;
  return splitMarkdown(markdown, MARKDOWN_LIMIT).map((text, index) => ({
    text: toPlainText(text),
    blocks: [
      ...(index === 0 ? [{ type: 'context' as const, elements: [{ type: 'mrkdwn' as const, text: label }] }] : []),
      { type: 'markdown', text },
    ],
  }));
}
