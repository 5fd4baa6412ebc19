import { describe, expect, it } from 'vitest';
import {
  createConsumption,
  findBefore,
  type Point,
  readMonthBefore,
  toAgentName,
} from '../../../src/governance/consumption/consumption-history.ts';
import { toDay } from '../../../src/usage/usage.ts';
import { createModel } from '../../storage/kernel-model.ts';

const day = (date: string) => toDay(Date.parse(`${date}T12:00:00Z`));
const points = (entries: Record<string, number>): Point[] =>
  Object.entries(entries).map(([date, credits]) => ({ day: day(date), credits }));

const MARCH = points({
  ...{ '2026-02-08': 900, '2026-02-09': 1_000, '2026-02-28': 2_500 },
  ...{ '2026-03-01': 100, '2026-03-02': 150, '2026-03-05': 450, '2026-03-08': 400, '2026-03-09': 800 },
});

describe('the month before', () => {
  it('is compared until the same day', () => {
    expect(findBefore(MARCH, day('2026-03-09'))).toEqual({ day: day('2026-02-09'), credits: 1_000 });
  });

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

  it('is read from the begin of the month before', async () => {
    const consumption = createConsumption(createModel(() => 0));
    for (const one of points({ '2026-01-31': 9_000, '2026-02-09': 1_000, '2026-03-09': 800 })) {
      await consumption.save(one.day, new Map([['environment:lab', one.credits]]));
    }

    const days = new Map([
      ['environment:lab' as const, day('2026-03-09')],
      ['environment:new' as const, day('2026-03-09')],
    ]);
    const before = await readMonthBefore(days, Date.parse('2026-03-09T10:00:00Z'), consumption);

    expect([...before]).toEqual([['environment:lab', 1_000]]);
  });
});

describe('the last figures of a month', () => {
  it('are those of every name, with the day that they are of', async () => {
    const consumption = createConsumption(createModel(() => 0));
    const agent = toAgentName({ environmentId: 'Lab', agentId: 'A1' });
    await consumption.save(day('2026-02-28'), new Map([['environment:lab', 1]]));
    await consumption.save(
      day('2026-03-09'),
      new Map([
        ['environment:lab', 800],
        ['environment:old', 5],
      ]),
    );
    await consumption.save(day('2026-03-31'), new Map([['environment:lab', 900]]));
    await consumption.save(day('2026-03-31'), new Map([[agent, 30]]));

    expect([...(await consumption.readLast(day('2026-03-01'), day('2026-03-31')))]).toEqual(
      expect.arrayContaining([
        ['environment:lab', { day: day('2026-03-31'), credits: 900 }],
        ['environment:old', { day: day('2026-03-09'), credits: 5 }],
        [agent, { day: day('2026-03-31'), credits: 30 }],
      ]),
    );
  });
});
