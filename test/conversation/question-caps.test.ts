import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChannelSettings } from '../../src/conversation/channel-settings.ts';
import { type Cap, type CapCounter, createCapCheck, createCapCounter } from '../../src/conversation/question-caps.ts';
import { readLocalDay } from '../../src/delivery/local-times.ts';
import { StoreUnavailableError } from '../../src/errors.ts';
import { createModel } from '../storage/kernel-model.ts';
import { aQuestion, aTurn } from './a-question.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');

const DAY = { day: '2026-11-24', endsAt: Date.parse('2026-11-25T00:00:00Z') };

function caps(user: string, { person, all }: { person?: number; all?: number }): Cap[] {
  const question = { asker: { team: 'T1', user }, workspace: 'T1', channel: 'C1' };
  return [
    ...(person === undefined ? [] : [{ scope: 'person' as const, most: person, day: DAY, question }]),
    ...(all === undefined ? [] : [{ scope: 'channel' as const, most: all, day: DAY, question }]),
  ];
}

/** Those of two replicas on one store. */
function openCounters(): [CapCounter, CapCounter] {
  const kernel = createModel(() => NOW);
  const open = () => createCapCounter(kernel, () => NOW);
  return [open(), open()];
}

describe('questions of channels with a cap', () => {
  it('are counted until the cap is reached, and the one that is reached is named', async () => {
    const [counter] = openCounters();
    const count = async (id: string, user: string) =>
      (await counter.count(id, caps(user, { person: 2, all: 3 })))?.scope;

    expect(await count('1', 'UANA')).toBeUndefined();
    expect(await count('2', 'UANA')).toBeUndefined();
    expect(await count('3', 'UANA')).toBe('person');
    expect(await count('4', 'UBEN')).toBeUndefined();
    expect(await count('5', 'UBEN')).toBe('channel');
    // What was refused took nothing, and what was counted goes on.
    expect(await count('1', 'UANA')).toBeUndefined();
    expect(await counter.listCounted({ team: 'T1', user: 'UANA' })).toEqual([
      { workspace: 'T1', channel: 'C1', asked: 2, until: DAY.endsAt },
    ]);
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
        const both = openCounters();
        const users = ['UANA', 'UBEN', 'UCLEO'];
        const ask = async ({ turn, replica, delay }: (typeof questions)[number]) => {
          for (let wait = 0; wait < delay; wait += 1) await Promise.resolve();
          const limits = { all, ...(person !== undefined && { person }) };
          return { turn, reached: await both[replica].count(String(turn), caps(users[turn % 3] ?? '', limits)) };
        };

        const answers = await Promise.all(questions.map(ask));

        const allowed = new Set(answers.filter(({ reached }) => !reached).map(({ turn }) => turn));
        const wanted = new Set(questions.map(({ turn }) => turn));
        const of = (turns: Set<number>, user: number) => [...turns].filter((turn) => turn % 3 === user).length;
        const possible = [0, 1, 2].map((user) => Math.min(of(wanted, user), person ?? Number.POSITIVE_INFINITY));
        const inAll = possible.reduce((sum, one) => sum + one, 0);
        expect(allowed.size).toBe(Math.min(all, inAll));
        for (const user of [0, 1, 2]) expect(of(allowed, user)).toBeLessThanOrEqual(person ?? all);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
});

describe('the caps of a question', () => {
  function start(settings: Pick<ChannelSettings, 'personCap' | 'channelCap'>) {
    let time = NOW;
    const asked: string[] = [];
    const check = createCapCheck({
      settings: async () => settings,
      counter: createCapCounter(
        createModel(() => time),
        () => time,
      ),
      timeZone: async ({ asker }) => {
        asked.push(asker.user);
        return 'Europe/Berlin';
      },
      defaultTimeZone: 'UTC',
      today: (zone) => readLocalDay(time, zone),
    });
    return {
      asked,
      check: (id: string, change = {}) => check(aTurn({ id, question: aQuestion(change) })),
      pass(ms: number) {
        time += ms;
      },
    };
  }

  it('are none, and nobody is asked anything, without a cap and in direct messages', async () => {
    const without = start({});
    const direct = start({ personCap: 0, channelCap: 0 });

    expect(await without.check('1')).toBeUndefined();
    expect(await direct.check('1', { audience: 'person' })).toBeUndefined();
    expect([...without.asked, ...direct.asked]).toEqual([]);
  });

  it('are counted for the day where the asker is, and begin anew with the next', async () => {
    const { check, pass } = start({ personCap: 1 });
    const midnight = Date.parse('2026-11-24T23:00:00Z');

    expect(await check('1')).toBeUndefined();
    expect(await check('2')).toEqual({ kind: 'notice', code: 'person_cap', cap: { most: 1, until: midnight } });
    pass(midnight - NOW);
    expect(await check('2')).toBeUndefined();
    expect(await check('3')).toMatchObject({ code: 'person_cap' });
  });

  it('count a question once that is asked again after a fault', async () => {
    const { check } = start({ channelCap: 1 });

    expect(await check('1')).toBeUndefined();
    expect(await check('1')).toBeUndefined();
    expect(await check('again:1:again', { repeats: '1' })).toBeUndefined();
    expect(await check('again:1:again')).toMatchObject({ code: 'channel_cap' });
  });

  it('wait for a store that does not answer', async () => {
    const check = createCapCheck({
      settings: async () => ({ channelCap: 1 }),
      counter: { count: () => Promise.reject(new StoreUnavailableError('away')) },
      timeZone: async () => 'UTC',
      defaultTimeZone: 'UTC',
      today: () => DAY,
    });

    await expect(check(aTurn())).rejects.toThrow(StoreUnavailableError);
  });
});
