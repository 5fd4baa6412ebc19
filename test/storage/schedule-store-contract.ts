import { describe, expect, it } from 'vitest';
import type { ScheduleStore, Schedules } from '../../src/conversation/schedules.ts';

const ANA = { team: 'T1', user: 'UANA' };

export function describeScheduleStore(current: () => ScheduleStore): void {
  describe('scheduled questions', () => {
    const put = (one: Schedules) => current().change(one.person, () => one);
    const upcoming = async () => (await current().upcoming()).map(({ person }) => person.user);

    it('are those of one person, in one record, until there are none', async () => {
      expect(await current().get(ANA)).toBeUndefined();
      expect(await current().change(ANA, () => undefined)).toBeUndefined();

      await put(aRecord('UANA', 5));
      expect(await current().get(ANA)).toMatchObject(aRecord('UANA', 5));

      await put(aRecord('UANA'));
      expect(await current().get(ANA)).toBeUndefined();
      expect(await upcoming()).toEqual([]);
    });

    it('come in the order in which the first of each person is due', async () => {
      await put(aRecord('UANA', 30, 20));
      await put(aRecord('UBEN', 10));
      await put(aRecord('UKIM', 15, 90));
      expect(await upcoming()).toEqual(['UBEN', 'UKIM', 'UANA']);

      await put(aRecord('UBEN', 40));
      expect(await upcoming()).toEqual(['UKIM', 'UANA', 'UBEN']);
    });

    it('lose no change of two that are made at the same time', async () => {
      const add = (id: string) =>
        current().change(ANA, (known) => ({
          ...aRecord('UANA'),
          questions: [...(known?.questions ?? []), ...aRecord('UANA', 5).questions.map((one) => ({ ...one, id }))],
        }));
      await Promise.all(['a', 'b', 'c', 'd'].map(add));

      expect((await current().get(ANA))?.questions.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    });
  });
}

function aRecord(user: string, ...times: number[]): Schedules {
  return {
    schema: 1,
    person: { team: 'T1', user },
    workspace: 'T1',
    questions: times.map((nextAt, index) => ({
      ...{ id: String(index), nextAt, days: [1], time: '08:00', zone: 'UTC' },
      content: { text: 'what is new?', webSearch: true, links: [], unusable: [] },
    })),
  };
}
