import { describe, expect, it } from 'vitest';
import {
  createConsumption,
  findBefore,
  type HistoryName,
  type Point,
} from '../../../src/governance/consumption/consumption-history.ts';
import { toDay } from '../../../src/usage/usage.ts';
import { createModel } from '../../storage/kernel-model.ts';

const day = (date: string) => toDay(Date.parse(`${date}T12:00:00Z`));
const points = (entries: Record<string, number>): Point[] =>
  Object.entries(entries).map(([date, credits]) => ({ day: day(date), credits }));

describe('the month before', () => {
  it('ends a short month where the longer one goes on', () => {
    const before = findBefore(points({ '2026-02-28': 2_500, '2026-03-31': 4_000 }), day('2026-03-31'));

    expect(before).toEqual({ day: day('2026-02-28'), credits: 2_500 });
  });

  it('takes the day before where one was missed, and nothing older', () => {
    expect(findBefore(points({ '2026-02-08': 900, '2026-03-09': 800 }), day('2026-03-09'))?.credits).toBe(900);
    expect(findBefore(points({ '2026-02-07': 900, '2026-03-09': 800 }), day('2026-03-09'))).toBeUndefined();
  });

  it('is not compared until an earlier day because nothing was recorded since', () => {
    const kept = points({ '2026-02-03': 100, '2026-02-20': 2_000, '2026-03-03': 110 });

    expect(findBefore(kept, day('2026-03-20'))).toEqual({ day: day('2026-02-20'), credits: 2_000 });
    expect(findBefore(kept, day('2026-03-12'))).toBeUndefined();
  });
});

it('a few figures are read without those of ten thousand environments', async () => {
  const kernel = createModel(() => 0);
  let bytes = 0;
  const history = createConsumption({
    ...kernel,
    async range(...asked) {
      const found = await kernel.range(...asked);
      bytes += JSON.stringify(found).length;
      return found;
    },
  });
  const ids = Array.from({ length: 10_000 }, (_one, index) => (index + 0x10000).toString(16));
  const figures = ids.map((id): [HistoryName, number] => [`environment:${id}`, 1.5]);
  await history.save(10, new Map([...figures, ['agents', 9], ['missing', 0]]));

  expect([...(await history.read(['agents', 'missing'], 1, 20)).keys()]).toEqual(['agents', 'missing']);
  expect(bytes).toBeLessThan(500);
  expect((await history.read([`environment:${ids[7]}`], 1, 20)).size).toBe(1);
  expect(bytes).toBeLessThan(30_000);
});
