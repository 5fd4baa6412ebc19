import { describe, expect, it } from 'vitest';
import type { UsageAddition, UsageName, UsageStore } from '../../src/usage/usage.ts';

export function describeUsageStore(current: () => UsageStore): void {
  describe('the usage of a workspace', () => {
    it('is summed over the days that are asked for', async () => {
      await current().add(anAddition(10, { questions: 1, direct: 1 }));
      await current().add(anAddition(11, { questions: 2 }));
      await current().add(anAddition(12, { questions: 4 }));

      expect(await current().read('T1', 11)).toMatchObject({ counts: { questions: 6 }, firstDay: 11 });
      expect(await current().read('T1', 1)).toMatchObject({ counts: { questions: 7, direct: 1 }, firstDay: 10 });
      expect(await current().read('T1', 13)).toEqual({ counts: {}, people: {}, firstDay: undefined });
    });

    it('counts everybody once, on the last day that they were there', async () => {
      await current().add(anAddition(10, { questions: 2 }, { questions: ['ana', 'ben'] }));
      await current().add(anAddition(12, { questions: 2, direct: 1 }, { questions: ['ana', 'cem'], direct: ['ana'] }));
      await current().add(anAddition(11, { questions: 1 }, { questions: ['ana'] }));

      expect((await current().read('T1', 10)).people).toEqual({ questions: 3, direct: 1 });
      expect((await current().read('T1', 12)).people).toEqual({ questions: 2, direct: 1 });
    });

    it('loses nothing that many replicas add at once', async () => {
      const additions = Array.from({ length: 30 }, (_, index) =>
        current().add(anAddition(10, { questions: 1 }, { questions: [`person ${index % 7}`] })),
      );
      await Promise.all(additions);

      expect(await current().read('T1', 10)).toMatchObject({ counts: { questions: 30 }, people: { questions: 7 } });
    });

    it('counts an addition once, however often it is repeated, also beside others', async () => {
      const first = anAddition(10, { questions: 1 }, { questions: ['ana'] });
      await current().add(first);
      await current().add(anAddition(10, { questions: 2 }, { questions: ['ben'] }));
      await current().add(first);
      await current().add({ ...anAddition(10, { questions: 4 }), writer: first.writer, number: first.number + 1 });
      await current().add(first);

      expect(await current().read('T1', 10)).toMatchObject({ counts: { questions: 7 }, people: { questions: 2 } });
    });

    it('remembers a writer that writes beside all who have ended', async () => {
      const first = anAddition(10, { questions: 1 });
      for (let index = 0; index < 120; index += 1) {
        await current().add(anAddition(10, { questions: 1 }));
        await current().add({ ...first, number: index + 1 });
        await current().add({ ...first, number: index + 1 });
      }

      expect(await current().read('T1', 10)).toMatchObject({ counts: { questions: 240 } });
    });

    it('is forgotten day by day, and people with their last day', async () => {
      await current().add(anAddition(10, { questions: 1, direct: 1 }, { questions: ['ana', 'ben'], direct: ['ana'] }));
      await current().add(anAddition(11, { questions: 1 }, { questions: ['ben'] }));

      // A day, and Ana under both names.
      expect(await current().forget(11)).toBe(3);

      expect(await current().read('T1', 1)).toEqual({
        counts: { questions: 1 },
        people: { questions: 1 },
        firstDay: 11,
      });
      expect(await current().forget(11)).toBe(0);
    });
  });
}

export function anAddition(
  day: number,
  counts: Partial<Record<UsageName, number>>,
  people: Partial<Record<UsageName, string[]>> = {},
): UsageAddition {
  return {
    writer: crypto.randomUUID(),
    number: 1,
    workspace: 'T1',
    day,
    counts: new Map(Object.entries(counts) as [UsageName, number][]),
    people: new Map(Object.entries(people).map(([name, marks]) => [name as UsageName, new Set(marks)])),
  };
}
