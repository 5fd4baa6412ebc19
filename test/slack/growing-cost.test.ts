import { expect, it } from 'vitest';
import { createAnswerStream } from '../../src/slack/answer-stream.ts';
import { createRandom } from '../faults/random.ts';
import { countCharacters } from './text-out/count-characters.ts';
import { GROWING } from './text-out/growing-texts.ts';

/** Several messages. */
const LENGTH = 15_000;

/**
 * For each character so many may be looked at, however long the text is. What is held back is looked at each time that
 * there is more, and so is the last line. Where a heading or a bar is in every line, a message is full after 40 of them.
 */
const MOST = 800;

/** As in production, but for the number of messages: all of the text is streamed. */
const LIMITS = {
  flushMs: 600,
  leastText: 24,
  patienceMs: 1_800,
  lifeMs: 230_000,
  bytes: 9_000,
  messages: 1_000,
};

function makeSteps(seed: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: 5 }, () => 20 + random.below(random.pick([30, 200, 3_000])));
}

/** How much is looked at while all of a text is shown, which grows by so many characters between two looks. */
async function stream(text: string, steps: number[]): Promise<number> {
  let time = 0;
  let end = 0;
  let looks = 0;
  let idle = 0;
  let parts = 0;
  const done = Promise.withResolvers<void>();
  const answer = createAnswerStream(
    {
      calls: {
        start: async () => {
          idle = 0;
          return String(parts);
        },
        async append() {
          idle = 0;
        },
        end: async () => undefined,
      },
      record: {
        begin: async () => ({ workspace: 'T1', turnId: 'turn', part: parts++ }),
        placed: async () => undefined,
        refused: () => undefined,
        ended: () => undefined,
      },
      now: () => time,
      async wait(ms, signal) {
        signal.throwIfAborted();
        time += ms;
        end = Math.min(text.length, end + (steps[looks++ % steps.length] ?? 1));
        if (end === text.length && ++idle > 6) done.resolve();
        signal.throwIfAborted();
      },
      onOver: (error) => done.reject(error),
    },
    LIMITS,
  );
  return countCharacters(async () => {
    answer.grow(() => text.slice(0, end));
    await done.promise;
    await answer.close();
  });
}

// Where it was made to be slow: see text-out/hostile-texts.test.ts.
it.each(GROWING)('what is looked at while an answer grows is in proportion to its length: $shape', async ({ make }) => {
  const cost = await stream(make(createRandom(1), LENGTH), makeSteps(1));

  expect(cost / LENGTH).toBeLessThan(MOST);
});
