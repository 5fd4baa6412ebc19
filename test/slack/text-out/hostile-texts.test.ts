import { describe, expect, it } from 'vitest';
import { RenderTimeoutError } from '../../../src/slack/text-out/markdown-tree.ts';
import { MESSAGE_BUDGET } from '../../../src/slack/text-out/message-budget.ts';
import { LONGEST_AT_ONCE, renderMarkdown } from '../../../src/slack/text-out/render-markdown.ts';
import { cpuOf, STAGES } from './held-thread.ts';
import { makeHostileText, repeatPattern } from './hostile-texts.ts';

/** Each took seconds, or would have, before something was done about it. */
const FOUND = [
  ...'(] :] ]: ]( ] &] ]]> \\`] \\[** <b> <a><b> <? <![CDATA[ [a][b]\r\n'.split(' '),
  ...'www. www.a https:// ://a: http #http a. [a]( [a](https://b **[a](https://x.y)** *a_ **a_'.split(' '),
  ...'\u0301\u0323 _ - \u0323 ~ `` &lt; \\< <&lt; @ a@b ![ [^ > 漢 |'.split(' '),
  ...[
    '<!--\n',
    '- ',
    '1. ',
    '\n---\n@a',
    '\n===\na',
    '\n- \n',
    '|\n',
    '\n\t',
    '\n[a]: b',
    '\n> ',
    '\n> - ',
    '    [a](b)\n',
  ],
];

const BESIDES = ['[', '<b>', '[a](b) ', '> '];

const TRIES = 150;

const LONG = LONGEST_AT_ONCE;
const SHORT = LONG / 4;

/** Four times the length takes four times the time; sixteen times is what is to be found, and a busy machine is not. */
const FACTOR = 9;

/** Below this there is nothing to compare. */
const SLIGHT_MS = 60;

/** Each alone, and beside one of the others. */
const FOUND_TEXTS = FOUND.flatMap((unit, index) =>
  ['', BESIDES[index % BESIDES.length] ?? ''].map((before) => ({ unit, before })),
);

describe('a text that was made to be slow', () => {
  it.each(Object.keys(STAGES))('takes time in proportion to its length while %s', (name) => {
    const stage = STAGES[name] ?? expect.fail();
    const slow: string[] = [];
    const judge = (pattern: string, make: (length: number) => string) => {
      if (isLinear(stage, make)) return;
      slow.push(pattern);
    };

    for (const { unit, before } of FOUND_TEXTS) {
      judge(before + unit, (length) => `${before}${repeatPattern([unit], length)} <b>`);
    }
    for (let number = 0; number < TRIES; number += 1) {
      judge(makeHostileText(number, SHORT).pattern, (length) => makeHostileText(number, length).text);
    }

    expect(slow).toEqual([]);
  });

  it.each(FOUND_TEXTS.filter((_, index) => index % 9 === 1))(
    'is rendered, or given up, and the next is rendered: $before$unit',
    async ({ unit, before }) => {
      const rendering = renderMarkdown(`${before}${repeatPattern([unit], 60_000)} <b>`, MESSAGE_BUDGET);

      const rendered = await rendering.catch((error: unknown) => {
        expect(error).toBeInstanceOf(RenderTimeoutError);
        return [];
      });

      expect((rendered ?? []).filter(({ text }) => text.includes('<'))).toEqual([]);
    },
  );
});

/** What looks slow is measured again: a process may have other things to do, such as collecting garbage. */
function isLinear(stage: (text: string) => unknown, make: (length: number) => string): boolean {
  const [short, long] = [make(SHORT), make(LONG)];
  for (let look = 0; look < 3; look += 1) {
    const ms = cpuOf(() => stage(long));
    if (ms < SLIGHT_MS || ms < FACTOR * cpuOf(() => stage(short))) return true;
  }
  return false;
}
