import type { ContextBlock } from '@slack/types';

/** What is said below a list in small print, in mrkdwn. */
export function buildNotes(notes: readonly string[]): ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text: notes.join('\n'), verbatim: true }] };
}
