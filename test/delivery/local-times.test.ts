import { describe, expect, it } from 'vitest';
import { findLast, findNext, readLocalDay, toLocalDate } from '../../src/delivery/local-times.ts';

const WEEKDAYS = { days: [1, 2, 3, 4, 5], time: '08:00' };
const EVERY_DAY = { days: [1, 2, 3, 4, 5, 6, 7], time: '02:30' };

const next = (times: { days: number[]; time: string }, zone: string, after: string) =>
  new Date(findNext(times, zone, Date.parse(after))).toISOString();

describe('the times of a schedule', () => {
  it.each([
    ['later on the same day', '2026-11-24T06:59:59Z', '2026-11-24T07:00:00.000Z'],
    ['never the time itself again', '2026-11-24T07:00:00Z', '2026-11-25T07:00:00.000Z'],
    ['over the weekend', '2026-11-27T08:00:00Z', '2026-11-30T07:00:00.000Z'],
  ])('come %s', (_what, after, expected) => {
    expect(next(WEEKDAYS, 'Europe/Berlin', after)).toBe(expected);
  });

  it('come a week later where there is one day alone', () => {
    expect(next({ days: [2], time: '08:00' }, 'UTC', '2026-11-24T08:00:00Z')).toBe('2026-12-01T08:00:00.000Z');
  });

  it('stay the same by the clock when clocks are put forward or back', () => {
    expect(next(WEEKDAYS, 'Europe/Berlin', '2026-03-27T12:00:00Z')).toBe('2026-03-30T06:00:00.000Z');
    expect(next(WEEKDAYS, 'Europe/Berlin', '2026-10-23T12:00:00Z')).toBe('2026-10-26T07:00:00.000Z');
  });

  it('come once on a day on which theirs is missing, or comes twice', () => {
    const missing = next(EVERY_DAY, 'Europe/Berlin', '2026-03-28T12:00:00Z');
    const twice = next(EVERY_DAY, 'Europe/Berlin', '2026-10-24T12:00:00Z');

    expect(missing).toBe('2026-03-29T01:30:00.000Z');
    expect(next(EVERY_DAY, 'Europe/Berlin', missing)).toBe('2026-03-30T00:30:00.000Z');
    expect(toLocalDate(Date.parse(next(EVERY_DAY, 'Europe/Berlin', twice)), 'Europe/Berlin')).toBe('2026-10-26');
  });

  it('come by the clock of the zone, on its days', () => {
    expect(next(WEEKDAYS, 'Pacific/Auckland', '2026-11-22T12:00:00Z')).toBe('2026-11-22T19:00:00.000Z');
    expect(next(WEEKDAYS, 'Asia/Kathmandu', '2026-11-22T12:00:00Z')).toBe('2026-11-23T02:15:00.000Z');
  });

  it('are not there without a day, or in a zone that there is not', () => {
    expect(() => findNext({ days: [], time: '08:00' }, 'UTC', 0)).toThrow('no time');
    expect(() => findNext(WEEKDAYS, 'Europe/Nowhere', 0)).toThrow('no time');
  });

  it('are missed up to the last of them', () => {
    const first = Date.parse('2026-11-24T07:00:00Z');
    const last = (now: string) => findLast(WEEKDAYS, 'Europe/Berlin', { first, now: Date.parse(now) });

    expect(last('2026-11-24T07:00:00Z')).toBe(first);
    expect(new Date(last('2026-12-01T07:30:00Z')).toISOString()).toBe('2026-12-01T07:00:00.000Z');
  });
});

it.each([
  ['2026-11-24T12:00:00Z', 'UTC', '2026-11-24', '2026-11-25T00:00:00Z'],
  ['2026-11-24T23:30:00Z', 'Europe/Berlin', '2026-11-25', '2026-11-25T23:00:00Z'],
  ['2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-29', '2026-03-29T22:00:00Z'],
  ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25', '2026-10-25T23:00:00Z'],
  ['2026-11-24T12:00:00Z', 'Pacific/Kiritimati', '2026-11-25', '2026-11-25T10:00:00Z'],
  // There is no midnight on the day after.
  ['2026-09-05T12:00:00Z', 'America/Santiago', '2026-09-05', '2026-09-06T04:00:00Z'],
  ['2026-11-24T12:00:00Z', 'Asia/Kathmandu', '2026-11-24', '2026-11-24T18:15:00Z'],
])('a local day of %s in %s is %s, and ends at %s', (at, zone, day, endsAt) => {
  expect(readLocalDay(Date.parse(at), zone)).toEqual({ day, endsAt: Date.parse(endsAt) });
});
