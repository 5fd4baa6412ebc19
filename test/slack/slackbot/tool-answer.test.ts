import { checkMessage } from '@assistant-bridge/sandbox/slack/blocks/check-message.ts';
import { describe, expect, it } from 'vitest';
import type { Answer, NoticeCode } from '../../../src/conversation/outcome.ts';
import { buildToolAnswer } from '../../../src/slack/slackbot/tool-answer.ts';
import { anOutcome, aTurn } from '../../conversation/a-question.ts';

const ANSWER = anOutcome({
  text: 'The **budget** is 12.[1]',
  sources: [{ number: 1, title: 'Plan <!channel>', url: 'https://files.example/plan?a=1&b=2' }],
});

async function build(change: Partial<Answer>, form?: 'plain') {
  const told = await buildToolAnswer(aTurn({ outcome: { ...ANSWER, ...change }, ...(form && { form }) }));
  if (!told) throw new Error('nothing is decided');
  return told;
}

const sources = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    title: `Source ${index} ${'<&>'.repeat(60)}`,
    url: `https://files.example/${'x'.repeat(1_500)}/${index}`,
  }));

describe('what Slackbot is told', () => {
  it('is the answer with its sources and notes, for the model as text and for people as blocks', async () => {
    const told = await build({ webSearch: false });

    expect(told.result).toBe('answer');
    expect(told.text).toMatch(/^The \*\*budget\*\* is 12\.\[1\]\n\nSources\n1\. Plan .* https:\/\/files\.example/);
    expect(told.text).toContain('Web search was off');
    expect(told.blocks.map(({ type }) => type)).toEqual(['markdown', 'section', 'context']);
    expect(JSON.stringify(told.blocks)).not.toContain('<!channel>');
  });

  it.each([
    ['a long text', { text: 'word '.repeat(8_000) }],
    ['a long text of entities', { text: '<&> '.repeat(8_000) }],
    ['many headings', { text: '# A heading\n\nand a line\n\n'.repeat(100) }],
    ['two tables', { text: '| a | b |\n| - | - |\n| 1 | 2 |\n\nand\n\n| a | b |\n| - | - |\n| 1 | 2 |\n' }],
    ['twenty long sources', { sources: sources(20) }],
    ['both', { text: 'word '.repeat(8_000), sources: sources(20) }],
    ['a heading and no more', { text: '#' }],
  ])('fits into one message, and says where it is cut: %s', async (_what, change) => {
    const told = await build(change);

    expect(checkMessage(told.blocks)).toBeUndefined();
    expect(told.text.length).toBeLessThan(60_000);
    const isCut = ('text' in change && change.text.length > 1_000) || _what === 'two tables';
    expect(JSON.stringify(told.blocks).includes('The rest of the answer is left out')).toBe(isCut);
  });

  it('shows people the first sources alone where they are long, and says how many more there are', async () => {
    const { blocks } = await build({ sources: sources(20) });

    const [, shown = ''] = blocks.map((block) => JSON.stringify(block));
    const listed = shown.match(/Source \d+/g)?.length ?? 0;
    expect(listed).toBeGreaterThan(0);
    expect(shown).toContain(`and ${20 - listed} more`);
  });

  it('has no blocks where they cannot be made in time', async () => {
    expect(await build({}, 'plain')).toMatchObject({ blocks: [], text: expect.stringContaining('Sources') });
  });

  it.each<[NoticeCode, string]>([
    ['sign_in_needed', 'Sign in once'],
    ['interrupted', 'I was interrupted'],
    ['too_late', 'I could not ask this question in time'],
    ['guest', 'members of this organisation only'],
  ])('is a sentence without buttons where there is no answer: %s', async (code, words) => {
    const told = await buildToolAnswer(aTurn({ outcome: { kind: 'notice', code } }));

    expect(told).toMatchObject({ result: code, text: expect.stringContaining(words) });
    expect(told?.blocks.map(({ type }) => type)).not.toContain('actions');
  });

  it('is that it was cancelled, where its asker deleted it; and nothing before anything is decided', async () => {
    expect(await buildToolAnswer(aTurn({ stage: 'cancelled' }))).toMatchObject({ result: 'cancelled' });
    expect(await buildToolAnswer(aTurn())).toBeUndefined();
  });
});
