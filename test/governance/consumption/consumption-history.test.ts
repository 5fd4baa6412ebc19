import { describe, expect, it } from 'vitest';
import { type Point, readTrends, toTrend } from '../../../src/governance/consumption/consumption-history.ts';
import { buildTrend, describeChange, describeMonths } from '../../../src/governance/lists/trend-views.ts';
import { toDay } from '../../../src/usage/usage.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { findMessageProblems, readTexts } from '../limits/limit-samples.ts';

const day = (date: string) => toDay(Date.parse(`${date}T12:00:00Z`));
const points = (entries: Record<string, number>): Point[] =>
  Object.entries(entries).map(([date, credits]) => ({ day: day(date), credits }));

const MARCH = points({
  ...{ '2026-02-08': 900, '2026-02-09': 1_000, '2026-02-28': 2_500 },
  ...{ '2026-03-01': 100, '2026-03-02': 150, '2026-03-05': 450, '2026-03-08': 400, '2026-03-09': 800 },
});

describe('a trend', () => {
  it('compares the month with the one before, until the same day', () => {
    const trend = toTrend(MARCH);

    expect(trend).toMatchObject({
      latest: { credits: 800 },
      before: { day: day('2026-02-09'), credits: 1_000 },
      lastBefore: { day: day('2026-02-28'), credits: 2_500 },
    });
    expect(trend && describeChange(trend)).toBe('−20 %');
    expect(trend && describeMonths(trend)).toBe(
      'This month until 9 March: 800 credits. The month before until then: 1,000 (−20 %); until 28 February: 2,500.',
    );
  });

  it('tells what was used each day, shared among those that were not counted, and never less than nothing', () => {
    const trend = toTrend(MARCH);

    const used = trend?.days.map((one) => one.used);
    expect(used).toEqual([...Array(5).fill(undefined), 100, 50, 100, 100, 100, 0, 0, 0, 400]);
    expect(trend?.days.at(-1)?.day).toBe(day('2026-03-09'));
  });

  it('ends a short month where the longer one goes on', () => {
    const trend = toTrend(points({ '2026-02-28': 2_500, '2026-03-31': 4_000 }));

    expect(trend?.before).toEqual({ day: day('2026-02-28'), credits: 2_500 });
  });

  it('takes the day before where one was missed, and nothing older', () => {
    const missed = toTrend(points({ '2026-02-08': 900, '2026-03-09': 800 }));
    const older = toTrend(points({ '2026-02-07': 900, '2026-03-09': 800 }));

    expect(missed?.before?.credits).toBe(900);
    expect(older?.before).toBeUndefined();
    expect(older && describeMonths(older)).toContain('The month before until 7 February: 900.');
  });

  it('says where nothing is known of the month before', () => {
    const trend = toTrend(points({ '2026-03-09': 800 }));

    expect(trend && describeMonths(trend)).toContain('Of the month before nothing is recorded.');
    expect(toTrend([])).toBeUndefined();
  });

  it('is a chart that Slack takes, and bars in text where it does not', () => {
    const { chart, plain } = buildTrend(toTrend(MARCH));

    expect(findMessageProblems({ text: '', blocks: chart })).toEqual([]);
    expect(chart.map(({ type }) => type as string)).toEqual(['section', 'data_visualization']);
    expect(readTexts(plain)).toContain('Per day since 24 February: ·····▃▂▃▃▃▁▁▁█ · 400 on the day with the most');
    expect(buildTrend(undefined)).toEqual({ chart: [], plain: [] });
  });

  it('is read from the begin of the month before', async () => {
    const { consumption } = createMemoryStore();
    for (const one of points({ '2026-01-31': 9_000, '2026-02-09': 1_000, '2026-03-09': 800 })) {
      await consumption.save(one.day, new Map([['environment:lab', one.credits]]));
    }

    const trends = await readTrends(['environment:lab', 'total'], Date.parse('2026-03-09T10:00:00Z'), consumption);

    expect([...trends.keys()]).toEqual(['environment:lab']);
    expect(trends.get('environment:lab')?.before?.credits).toBe(1_000);
  });
});
