import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { prepareSchema } from '../../src/backend/sqlite/schema.ts';
import type { ChannelSettings } from '../../src/conversation/channel-settings.ts';
import { createCapCheck, createCapCounter, readLocalDay } from '../../src/conversation/question-caps.ts';
import { StoreUnavailableError } from '../../src/errors.ts';
import type { Kernel } from '../../src/storage/kernel.ts';
import { createGroupCommit } from '../../src/storage/sqlite/group-commit.ts';
import { createSqliteKernel } from '../../src/storage/sqlite/sqlite-kernel.ts';
import { aQuestion, aTurn } from './a-question.ts';
import { describeCapCounter, NOW } from './cap-counter-contract.ts';

function openKernel(now = () => NOW): Kernel {
  const database = new DatabaseSync(':memory:');
  prepareSchema(database);
  return createSqliteKernel(database, createGroupCommit(database), now);
}

const shared = openKernel();
describeCapCounter('sqlite', () => [shared, shared], 60);

describe('a local day', () => {
  it.each([
    ['2026-11-24T12:00:00Z', 'UTC', '2026-11-24', '2026-11-25T00:00:00Z'],
    ['2026-11-24T23:30:00Z', 'Europe/Berlin', '2026-11-25', '2026-11-25T23:00:00Z'],
    ['2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-29', '2026-03-29T22:00:00Z'],
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25', '2026-10-25T23:00:00Z'],
    ['2026-11-24T12:00:00Z', 'Pacific/Kiritimati', '2026-11-25', '2026-11-25T10:00:00Z'],
    ['2026-11-24T12:00:00Z', 'Asia/Kathmandu', '2026-11-24', '2026-11-24T18:15:00Z'],
  ])('of %s in %s is %s, and ends at %s', (at, zone, day, endsAt) => {
    expect(readLocalDay(Date.parse(at), zone)).toEqual({ day, endsAt: Date.parse(endsAt) });
  });
});

describe('the caps of a question', () => {
  function start(settings: Pick<ChannelSettings, 'personCap' | 'channelCap'>) {
    let time = NOW;
    const asked: string[] = [];
    const check = createCapCheck({
      settings: async () => settings,
      counter: createCapCounter(
        openKernel(() => time),
        () => time,
      ),
      timeZone: async ({ asker }) => {
        asked.push(asker.user);
        return 'Europe/Berlin';
      },
      defaultTimeZone: 'UTC',
      now: () => time,
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
      counter: {
        count: async () => {
          throw new StoreUnavailableError('away');
        },
      },
      timeZone: async () => 'UTC',
      defaultTimeZone: 'UTC',
      now: () => NOW,
    });

    await expect(check(aTurn())).rejects.toThrow(StoreUnavailableError);
  });
});
