import { beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from './run-harness.ts';

let harness: Harness;

beforeEach(() => {
  harness = startHarness();
});

const aMessage = (text: string) => ({ text, blocks: [{ type: 'markdown', text }] });
const shares = [{ channel: 'D1', ts: '300.1' }];

describe('an answer that its asker shares', () => {
  it('is shown in the thread without asking, and no word of it is kept', async () => {
    harness.ports.readShared = async () => [aMessage('the private words'), aMessage('and more of them')];
    await harness.accept({ text: '', shares });

    await harness.run();

    expect(harness.shown.map(({ words }) => words)).toEqual(['the private words', 'and more of them']);
    expect(harness.asked).toEqual([]);
    const turn = await harness.turn();
    expect(turn).toMatchObject({ stage: 'done', result: 'shared' });
    expect(JSON.stringify(turn)).not.toMatch(/private words|more of them/);
    expect(turn?.outcome).toBeUndefined();
    expect(turn?.question.shares).toBeUndefined();
  });

  it('that is gone from Slack is said to be gone', async () => {
    await harness.accept({ text: '', shares });

    await harness.run();

    expect(harness.shown.map(({ words }) => words)).toEqual(['question_gone']);
    expect(harness.asked).toEqual([]);
  });
});
