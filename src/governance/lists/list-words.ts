// Figures of lists in words: plain text.
import { DateTime, IANAZone } from 'luxon';
import type { Forecast } from '../consumption/credit-usage.ts';
import { formatCredits, toPercentUsed } from '../shell/numbers.ts';

/** `used 190 (9 %)`. `share`: 1 is all of it. */
export function formatUse(used: number, share: number | undefined): string {
  const percent = share === undefined || !Number.isFinite(share) ? '' : ` (${formatCredits(toPercentUsed(share))} %)`;
  return `used ${formatCredits(used)}${percent}`;
}

/** Undefined: the value is unknown. */
export function orUnknown<Value>(value: Value | undefined, test: (value: Value) => boolean): boolean | undefined {
  return value === undefined ? undefined : test(value);
}

/** 24 Nov, or 24 Nov 2025 if it is in another year than `now`. */
export function formatDay(at: number, timeZone: string, now = at): string {
  const day = toDate(at, timeZone);
  return day.toFormat(day.year === toDate(now, timeZone).year ? 'd LLL' : 'd LLL yyyy');
}

function toDate(at: number, timeZone: string): DateTime {
  return DateTime.fromMillis(at, { zone: IANAZone.isValidZone(timeZone) ? timeZone : 'utc', locale: 'en-GB' });
}

/** `now`: epoch ms. Undefined: there is no forecast. */
export function describeForecast(
  forecast: Forecast | undefined,
  { timeZone, now }: { timeZone: string; now: number },
): string | undefined {
  switch (forecast?.kind) {
    case undefined:
      return undefined;
    case 'reached':
      return 'used up';
    case 'reaches':
      // The figures may be days old.
      return forecast.at <= now
        ? 'probably used up by now'
        : `used up on ${formatDay(forecast.at, timeZone)} at this rate`;
    case 'stays_within':
      return `about ${formatCredits(Math.round(forecast.consumed))} by the end of the month`;
  }
}

/** `+25 % on last month`. Undefined: there is nothing to compare with. */
export function describeChange(now: number, before: number | undefined): string | undefined {
  if (before === undefined || before <= 0) return undefined;
  const percent = Math.round((now / before - 1) * 100);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±';
  return `${sign}${formatCredits(Math.abs(percent))} % on last month`;
}

/** `3 stopped`. Counts of 0 are left out. */
export function listCounts(counts: Record<string, number>): string[] {
  return Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${formatCredits(count)} ${what}`]));
}

/** Unknown numbers count as 0. */
export function addUp<Row>(rows: readonly Row[], toNumber: (row: Row) => number | undefined): number {
  return rows.reduce((total, row) => total + (toNumber(row) ?? 0), 0);
}
