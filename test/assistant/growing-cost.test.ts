import { describe, expect, it } from 'vitest';
import { createStreamedAnswer } from '../../src/assistant/read-answer.ts';
import { createRandom } from '../faults/random.ts';
import { countCharacters } from '../slack/text-out/count-characters.ts';
import { GROWING } from '../slack/text-out/growing-texts.ts';
import { makeHostileText } from '../slack/text-out/hostile-texts.ts';

const TRIES = 40;

/** Together about as much as one event may have, where each character is escaped. */
const REPLIES = 4;
const LENGTH = 150_000;

/** Of so many characters so much may be looked at for each, however many there are. */
const MOST = 12;

/** An event with this text in each of its replies, which has been read. */
function receive(text: string) {
  const streamed = createStreamedAnswer('a question');
  const messages = Array.from({ length: REPLIES }, (_, index) => ({ id: `m${index}`, text }));
  for (const event of [{ messages }, { messages: [] }]) {
    streamed.push(`data:${JSON.stringify({ displayName: 'Intermediate Conversation Update', ...event })}\n\n`);
  }
  expect(streamed.isGrowing()).toBe(true);
  return streamed;
}

const TEXTS = [
  ...GROWING.map(({ shape, make }) => ({ pattern: shape, text: make(createRandom(1), LENGTH) })),
  ...Array.from({ length: TRIES }, (_, number) => makeHostileText(number, LENGTH)),
];

describe('what is looked at of an answer that grows', () => {
  it.each(TEXTS)('is as much as can be shown, whatever came: $pattern', async ({ text }) => {
    expect((await countCharacters(receive(text).readText)) / LENGTH).toBeLessThan(MOST);
  });

  it('is nothing where nothing came since it was looked at', async () => {
    const { readText } = receive('[1](https://a.example/x#y) '.repeat(5_000));
    const text = readText();

    expect(await countCharacters(readText)).toBe(0);
    expect(readText()).toBe(text);
  });
});
