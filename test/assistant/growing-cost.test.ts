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
const MOST = 13;

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

/** Half markers and half code. The bracket in front makes it look for code, the one at the end for what is inside. */
const HALF = Object.entries({
  'open brackets': '[1]('.repeat(LENGTH / 4),
  'open footnotes': '[^1^'.repeat(LENGTH / 4),
  parentheses: `[1](https://a.example/${'('.repeat(LENGTH)}`,
  links: '[1](https://a.example/x#k)'.repeat(LENGTH / 26),
  'open tags': '<Person <File '.repeat(LENGTH / 14),
  'unknown tags': '<Team>'.repeat(LENGTH / 6),
  'nested unknown tags': '<Team>'.repeat(LENGTH / 13) + '</Team>'.repeat(LENGTH / 13),
  'lenticular brackets': '【†'.repeat(LENGTH / 2),
  'private characters': '\uE200'.repeat(LENGTH),
  'backticks of every length': Array.from({ length: 540 }, (_, length) => '`'.repeat(length)).join(' <'),
  fences: '```\n[^1^]\n'.repeat(LENGTH / 10),
  'open fences': '```x\n'.repeat(LENGTH / 5),
  'lines of tildes': '~~~ '.repeat(LENGTH / 4),
  'backticks and blank lines': '` <\n\n'.repeat(LENGTH / 5),
  'spaces and blank lines': `\`<${'\n '.repeat(LENGTH / 2)}\``,
}).map(([pattern, text]) => ({ pattern, text: `< ${text} <` }));

const TEXTS = [
  ...HALF,
  ...GROWING.map(({ shape, make }) => ({ pattern: shape, text: make(createRandom(1), LENGTH) })),
  ...Array.from({ length: TRIES }, (_, number) => makeHostileText(number, LENGTH)),
];

/** All of them before anything is counted: from then on, patterns are slow in this process. */
const RECEIVED = TEXTS.map(({ pattern, text }) => ({ pattern, streamed: receive(text) }));

describe('what is looked at of an answer that grows', () => {
  it.each(RECEIVED)('is as much as can be shown, whatever came: $pattern', async ({ streamed }) => {
    expect((await countCharacters(streamed.readText)) / LENGTH).toBeLessThan(MOST);
  });

  it('is nothing where nothing came since it was looked at', async () => {
    const { readText } = receive('[1](https://a.example/x#y) '.repeat(5_000));
    const text = readText();

    expect(await countCharacters(readText)).toBe(0);
    expect(readText()).toBe(text);
  });
});
