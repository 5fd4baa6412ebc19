import { describe, expect, it } from 'vitest';
import { createReviewSchedule } from '../../../src/governance/scheduled-review/review-schedule.ts';

const at = (time: string) => Date.parse(time);
const WEEKDAYS = createReviewSchedule('0 7 * * 1-5', 'Europe/Berlin');

describe('a schedule', () => {
  it('counts in its time zone, through a clock change', () => {
    expect(WEEKDAYS.findNext(at('2027-03-26T05:00:00Z'))).toBe(at('2027-03-26T06:00:00Z'));
    expect(WEEKDAYS.findNext(at('2027-03-26T07:00:00Z'))).toBe(at('2027-03-29T05:00:00Z'));
  });

  it('is due from its very millisecond on, until it is settled', () => {
    const seven = at('2026-11-20T06:00:00Z');
    const before = at('2026-11-19T06:00:00Z');

    expect(WEEKDAYS.findDue(before, seven - 1)).toBeUndefined();
    expect(WEEKDAYS.findDue(before, seven)).toBe(seven);
    expect(WEEKDAYS.findDue(before, seven + 60_000)).toBe(seven);
    expect(WEEKDAYS.findDue(seven, seven + 60_000)).toBeUndefined();
  });

  it('makes up for the last of those that were missed, and for none that is older than a day', () => {
    const longAgo = at('2026-11-01T00:00:00Z');

    expect(WEEKDAYS.findDue(longAgo, at('2026-11-20T20:00:00Z'))).toBe(at('2026-11-20T06:00:00Z'));
    expect(WEEKDAYS.findDue(longAgo, at('2026-11-22T12:00:00Z'))).toBeUndefined();
  });

  it('may count seconds', () => {
    const often = createReviewSchedule('*/5 * * * * *', 'UTC');

    expect(often.findNext(at('2026-11-20T06:00:01Z'))).toBe(at('2026-11-20T06:00:05Z'));
  });
});
