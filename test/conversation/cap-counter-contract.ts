import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cap, type CapCounter, createCapCounter } from '../../src/conversation/question-caps.ts';
import type { Kernel } from '../../src/storage/kernel.ts';

export const NOW = Date.parse('2026-11-24T12:00:00Z');

const DAY = { day: '2026-11-24', endsAt: Date.parse('2026-11-25T00:00:00Z') };

/** Each test has a channel of its own. */
function caps(channel: string, user: string, { person, all }: { person?: number; all?: number }): Cap[] {
  const question = { asker: { team: 'T1', user }, workspace: 'T1', channel };
  return [
    ...(person === undefined ? [] : [{ scope: 'person' as const, most: person, day: DAY, question }]),
    ...(all === undefined ? [] : [{ scope: 'channel' as const, most: all, day: DAY, question }]),
  ];
}

let channels = 0;

/** `kernels`: of two replicas on one store. */
export function describeCapCounter(store: string, kernels: () => [Kernel, Kernel], runs: number): void {
  const counters = () => kernels().map((kernel) => createCapCounter(kernel, () => NOW)) as [CapCounter, CapCounter];
  const anyChannel = () => `C${++channels}`;

  describe(`${store}: questions of channels with a cap`, () => {
    it('are counted until the cap is reached, and the one that is reached is named', async () => {
      const [counter] = counters();
      const channel = anyChannel();
      const count = async (id: string, user: string) =>
        (await counter.count(`${channel}:${id}`, caps(channel, user, { person: 2, all: 3 })))?.scope;

      expect(await count('1', 'UANA')).toBeUndefined();
      expect(await count('2', 'UANA')).toBeUndefined();
      expect(await count('3', 'UANA')).toBe('person');
      expect(await count('4', 'UBEN')).toBeUndefined();
      expect(await count('5', 'UBEN')).toBe('channel');
      // What was refused took nothing, and what was counted goes on.
      expect(await count('1', 'UANA')).toBeUndefined();
      expect(await counter.listCounted({ team: 'T1', user: 'UANA' })).toContainEqual({
        ...{ workspace: 'T1', channel, asked: 2, until: DAY.endsAt },
      });
    });

    it('are exactly as many as the cap, whoever asks on which replica, how often and at the same time', async () => {
      const asked = fc.record({
        turn: fc.integer({ min: 0, max: 14 }),
        replica: fc.constantFrom(0 as const, 1 as const),
        delay: fc.integer({ min: 0, max: 3 }),
      });
      const property = fc.asyncProperty(
        fc.array(asked, { maxLength: 30 }),
        fc.integer({ min: 0, max: 8 }),
        fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
        async (questions, all, person) => {
          const both = counters();
          const channel = anyChannel();
          const users = ['UANA', 'UBEN', 'UCLEO'];
          const ask = async ({ turn, replica, delay }: (typeof questions)[number]) => {
            for (let wait = 0; wait < delay; wait += 1) await Promise.resolve();
            const limits = { all, ...(person !== undefined && { person }) };
            const wanted = caps(channel, users[turn % 3] ?? '', limits);
            return { turn, reached: await both[replica].count(`${channel}:${turn}`, wanted) };
          };

          const answers = await Promise.all(questions.map(ask));

          const allowed = new Set(answers.filter(({ reached }) => !reached).map(({ turn }) => turn));
          const wanted = new Set(questions.map(({ turn }) => turn));
          const of = (turns: Set<number>, user: number) => [...turns].filter((turn) => turn % 3 === user).length;
          const possible = [0, 1, 2].map((user) => Math.min(of(wanted, user), person ?? Number.POSITIVE_INFINITY));
          expect(allowed.size).toBe(
            Math.min(
              all,
              possible.reduce((sum, one) => sum + one, 0),
            ),
          );
          for (const user of [0, 1, 2]) expect(of(allowed, user)).toBeLessThanOrEqual(person ?? all);
        },
      );
      await fc.assert(property, { numRuns: runs });
    });
  });
}
