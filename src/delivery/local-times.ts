// Times and days by the clock of a zone (IANA).
import { DateTime } from 'luxon';
import type { LocalDay } from '../conversation/question-caps.ts';
import type { ScheduleTimes } from '../conversation/schedules.ts';

/** From a day to the same day of the next week. */
const WEEK = 7;

/**
 * The first of these times after `after` (both epoch ms), by the clock of `zone` (IANA). Once a day, even on a day when
 * clocks are changed. Throws an error if there is none: no days, or an unknown zone.
 */
export function findNext({ days, time }: ScheduleTimes, zone: string, after: number): number {
  const [hour, minute] = time.split(':').map(Number);
  const today = DateTime.fromMillis(after, { zone }).startOf('day');
  for (let ahead = 0; ahead <= WEEK; ahead += 1) {
    const day = today.plus({ days: ahead });
    const at = day.set({ hour, minute }).toMillis();
    if (days.includes(day.weekday) && at > after) return at;
  }
  throw new Error(`a schedule has no time in ${zone}`);
}

/** The latest of these times up to `now`, counted from `first`, which is one of them. All in epoch ms. */
export function findLast(times: ScheduleTimes, zone: string, { first, now }: { first: number; now: number }): number {
  for (let last = first; ; ) {
    const next = findNext(times, zone, last);
    if (next > now) return last;
    last = next;
  }
}

/** The day that a time (epoch ms) is in. */
export function readLocalDay(at: number, zone: string): LocalDay {
  const day = DateTime.fromMillis(at, { zone });
  return { day: day.toFormat(DATE), endsAt: day.plus({ days: 1 }).startOf('day').toMillis() };
}

/** The local date, as YYYY-MM-DD. */
export function toLocalDate(at: number, zone: string): string {
  return DateTime.fromMillis(at, { zone }).toFormat(DATE);
}

const DATE = 'yyyy-MM-dd';
