// The last day of an exception, as it was chosen.
import { isDay } from '../register/expiry.ts';

/** Undefined where the day will do, else the sentence that says why not. `day`: YYYY-MM-DD, of UTC. */
export function findLastDayProblem(day: string, now: number): string | undefined {
  if (!isDay(day)) return 'Choose the last day on which the exception holds.';
  const today = toDay(now);
  if (day <= today) return `Choose a day after today, which is ${formatDay(today)} in UTC.`;
  const latest = toLatestDay(now);
  if (day > latest) {
    return `Choose a day up to ${formatDay(latest)}: an exception holds for a year at most, and can be made again then.`;
  }
  return undefined;
}

/** A year ahead: by then somebody should look again. */
export function toLatestDay(now: number): string {
  const date = new Date(now);
  return toDay(Date.UTC(date.getUTCFullYear() + 1, date.getUTCMonth(), date.getUTCDate()));
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** 2027-11-21 → 21 Nov 2027. */
function formatDay(day: string): string {
  const options = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(day));
}
