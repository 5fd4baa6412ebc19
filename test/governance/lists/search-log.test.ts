import { describe, expect, it } from 'vitest';
import { type LogPage, readLog } from '../../../src/governance/lists/search-log.ts';
import { countTurns } from '../../count-turns.ts';
import { aLog } from './log-entries.ts';

const at = (text: string) => Date.parse(`${text}T12:00:00Z`);
const MARCH = { text: '2026-03', from: Date.parse('2026-03-01'), until: Date.parse('2026-04-01') };

type Search = { words?: string[]; period?: typeof MARCH; before?: number | undefined };

/** Ten rows at most, where there are no names. */
const search = (audit: ReturnType<typeof aLog>, { before, words = [], period }: Search = {}): Promise<LogPage> =>
  readLog({ query: { words, period }, limit: 10, before }, { audit, known: { read: async () => undefined } } as never);

describe('the search of the log', () => {
  it('finds what was done in a month without reading all that came later', async () => {
    const days = ['2026-02-27', '2026-03-02', '2026-03-31', ...Array.from({ length: 5_000 }, () => '2026-04-02')];
    const log = aLog(days.map((day) => ({ at: at(day) })));

    const { rows, next } = await search(log, { period: MARCH });

    expect(rows.map(({ entry }) => entry.seq)).toEqual([3, 2]);
    expect(next).toBeUndefined();
    expect(log.reads()).toBeLessThan(20);
  });

  it('turns pages by the last entry that was shown', async () => {
    const log = aLog(Array.from({ length: 25 }, () => ({})));

    const first = await search(log);
    const second = await search(log, { before: first.next });

    expect([first.rows.at(-1)?.entry.seq, second.rows[0]?.entry.seq, second.rows.at(-1)?.entry.seq]).toEqual([
      16, 15, 6,
    ]);
  });

  it('says how far it came where little fits', async () => {
    const log = aLog(Array.from({ length: 6_000 }, () => ({})));

    const found = await search(log, { words: ['nowhere'] });

    expect(found).toMatchObject({ rows: [], next: 1_001, searchedTo: expect.any(Number) });
  });

  it('keeps nothing else waiting where the store answers at once', async () => {
    const log = aLog(Array.from({ length: 2_000 }, () => ({})));

    expect(await countTurns(search(log, { words: ['nowhere'] }))).toBeGreaterThanOrEqual(19);
  });

  it('has one row for what was begun and ended, also where a page begins between the two', async () => {
    const subject = { planId: 'c1' };
    const log = aLog([
      { what: 'policy_imported', subject, outcome: { kind: 'begun' } },
      { what: 'policy_imported', subject, outcome: { kind: 'done' } },
      { what: 'policy_imported', subject: { planId: 'c2' }, outcome: { kind: 'begun' } },
    ]);

    expect((await search(log)).rows.map(({ entry, isOpen }) => [entry.seq, isOpen])).toEqual([
      [3, true],
      [2, false],
    ]);
    expect((await search(log, { before: 2 })).rows).toEqual([]);
  });
});

describe('the words of a search', () => {
  const agent = { name: 'a1', agentResourceId: 'bot-1', displayName: 'Travel Planner', environmentId: 'e1' };
  const environments = [{ environmentId: 'E1', name: 'Contoso Production', ownerId: undefined }];
  const known = { read: async () => ({ rows: [agent], environments, at: 0 }) };
  const limit = { credits: 2_000, noticeAt: 80, stopAtLimit: false };
  const audit = aLog([
    { who: { user: 'U0ANA' }, subject: {} },
    {
      subject: { environmentId: 'e1', agentId: 'bot-1' },
      ...{ before: { limit: 'none', stopped: false }, after: { limit, stopped: false }, reason: 'Trial of the desk' },
    },
    { what: 'policy_set', subject: { workspace: 'T1', channel: 'C0TRAVEL' } },
    { what: 'policy_set', subject: { className: 'Lab-Maker' } },
    { what: 'policy_set', subject: { environmentId: 'e1', currency: 'PremiumMessages' } },
  ] as never);
  const find = async (...words: string[]) => {
    const { rows } = await readLog({ query: { words, period: undefined }, limit: 10 }, { audit, known } as never);
    return rows.map(({ entry }) => entry.seq);
  };

  it.each([
    [['travel', 'contoso'], [2]],
    [['bot-1'], [2]],
    [['trial'], [2]],
    [['2,000'], [2]],
    [['u0ana'], [1]],
    [['travel', 'u0ana'], []],
    [['c0travel'], [3]],
    [['lab-maker'], [4]],
    [['contoso', 'premium'], [5]],
  ])('all occur: %j', async (words, found) => {
    expect(await find(...words)).toEqual(found);
  });
});
