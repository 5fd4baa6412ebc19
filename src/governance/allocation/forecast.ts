// When credits will be used up, if consumption goes on as in this month so far. Pure: the same figures say the same.

/** What has been used since the month began, as counted at `asOf` (epoch ms). */
export type MonthToDate = { consumed: number; capacity: number; asOf: number };

export type Forecast =
  | { kind: 'reached' }
  /** At this time, within the month of the figures (epoch ms). */
  | { kind: 'reaches'; at: number }
  /** Not within the month; `consumed`: by its end. */
  | { kind: 'stays_within'; consumed: number };

/** The first day of a month says little about the others. */
const MIN_OBSERVED_MS = 24 * 60 * 60 * 1000;

/**
 * Undefined where the figures allow none: too early in the month, of another month than `now`, or no figures at all. The
 * contract names no time zone for months: UTC.
 */
export function forecast({ consumed, capacity, asOf }: MonthToDate, now: number): Forecast | undefined {
  if (![consumed, capacity, asOf].every(Number.isFinite) || consumed < 0 || capacity <= 0) return undefined;
  const begin = startOfMonth(asOf);
  if (begin !== startOfMonth(now)) return undefined;
  if (consumed >= capacity) return { kind: 'reached' };
  const observedMs = asOf - begin;
  if (observedMs < MIN_OBSERVED_MS) return undefined;
  const end = startOfMonth(asOf, 1);
  const perMs = consumed / observedMs;
  const at = asOf + (capacity - consumed) / perMs;
  return at < end ? { kind: 'reaches', at } : { kind: 'stays_within', consumed: perMs * (end - begin) };
}

/** The part of the capacity that is used: 0.5 is half, and it may be more than 1. Undefined where there is no capacity. */
export function shareUsed(consumed: number | undefined, capacity: number | undefined): number | undefined {
  if (consumed === undefined || capacity === undefined || capacity <= 0) return undefined;
  return Math.max(0, consumed / capacity);
}

function startOfMonth(at: number, later = 0): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}
