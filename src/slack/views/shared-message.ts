import type { AnyBlock } from '@slack/types';
import type { SharedMessage } from '../../conversation/outcome.ts';
import type { Content } from './content.ts';

/** An answer that its asker shows to the thread, with its sources and notes, without its buttons. */
export function buildSharedMessages(user: string, messages: SharedMessage[]): Content[] {
  const label = `<@${user}> shares an answer they got with their own access rights.`;
  return messages.map(({ text, blocks }, index) => ({
    text,
    blocks: [
      ...(index === 0 ? [{ type: 'context' as const, elements: [{ type: 'mrkdwn' as const, text: label }] }] : []),
      ...(blocks as AnyBlock[]),
    ],
  }));
}
