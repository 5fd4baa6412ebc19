import { measureMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import { describe, expect, it } from 'vitest';
import { buildSharedMessages } from '../../../src/slack/views/answer-message.ts';
import { aQuestion, aTurn } from '../../conversation/a-question.ts';

const TURN = aTurn({ question: aQuestion({ asker: { team: 'T1', user: 'U1' } }) });

const richText = (text: string, url?: string) => ({
  type: 'rich_text',
  block_id: 'b1',
  elements: [
    {
      type: 'rich_text_section',
      elements: [{ type: 'text', text }, ...(url ? [{ type: 'link', url, text: 'here' }] : [])],
    },
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'let x;' }] },
  ],
});

/** A message of ours as Slack gives it back: a header and rich text for each section of its Markdown. */
const expanded = Array.from({ length: 25 }, (_, index) => [
  { type: 'header', text: { type: 'plain_text', text: `Section ${index}` } },
  richText(`text ${index}`),
]).flat();

describe('an answer that is shared', () => {
  it('is divided anew where what Slack gives back is more than one message takes', () => {
    const contents = buildSharedMessages(TURN, [{ text: 'an answer', blocks: expanded }]);

    const sizes = contents.map(({ blocks }) => measureMessage(blocks as never));
    expect(sizes.every(({ blocks }) => blocks <= 40)).toBe(true);
    expect(contents.flatMap(({ blocks }) => blocks)).toHaveLength(51);
    expect(JSON.stringify(contents[0]?.blocks[0])).toContain('<@U1> shares an answer');
    expect(contents.slice(1).some(({ blocks }) => JSON.stringify(blocks).includes('shares an answer'))).toBe(false);
  });

  it('is divided smaller, and shown in plain words, where Slack refuses it', () => {
    const messages = [{ text: 'an answer', blocks: [richText('Look ', 'https://a.example')] }];

    const small = buildSharedMessages({ ...TURN, form: 'small' }, [{ text: 'an answer', blocks: expanded }]);
    const plain = buildSharedMessages({ ...TURN, form: 'plain' }, messages);

    expect(small.length).toBeGreaterThan(2);
    expect(plain).toHaveLength(1);
    expect(plain[0]?.blocks[1]).toEqual({
      type: 'section',
      text: { type: 'plain_text', text: 'Look here\nlet x;', emoji: false },
    });
  });
});
