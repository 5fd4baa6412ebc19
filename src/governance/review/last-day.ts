// The last day of an exception, as it was chosen.
import { isDay } from '../register/expiry.ts';

/** Undefined where the day will do, else the sentence that says why not. Days are YYYY-MM-DD, and of UTC. */
export function findLastDayProblem(day: string, now: number): string | undefined {
  if (!isDay(day)) return 'Choose the last day on which the exception holds.';
  const today = toDay(now);
  if (day <= today) return `Choose a day after today, which is ${today} in UTC.`;
  const latest = toLatestDay(now);
  if (day > latest) {
    return `Choose a day up to ${latest}: an exception holds for a year at most, and can be made again then.`;
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
