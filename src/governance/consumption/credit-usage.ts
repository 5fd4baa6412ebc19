// How many of their credits environments have used, with a forecast.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { type Entitlement, isMonthToDate } from '../../admin-api/licensing-wire.ts';
import { isSameId } from '../../policy/target.ts';
import { optional } from '../shell/admin-failure.ts';
import { mapConcurrently } from '../shell/concurrency.ts';

/** The usage in one currency. Its name comes from outside. */
export type CreditUsage = {
  currencyType: string;
  consumed: number | undefined;
  capacity: number | undefined;
  /** For a bar: 0.5 is half of the capacity, and it may be more than 1. */
  share: number | undefined;
  /** What has gone to the pay-as-you-go subscription. */
  payGoConsumed: number | undefined;
  /** When the figures were counted (epoch ms), if the service says so. */
  asOf: number | undefined;
  /** The figures are older than a day, which is more than their usual delay. */
  isStale: boolean;
  forecast: Forecast | undefined;
  /** It counts from the beginning of the month. */
  isMonthToDate?: true;
};

/** When credits will be used up, if consumption goes on as in this month so far. */
export type Forecast =
  | { kind: 'reached' }
  /** At this time, within the month of the figures (epoch ms). */
  | { kind: 'reaches'; at: number }
  /** Not within the month; `consumed`: by its end. */
  | { kind: 'stays_within'; consumed: number };

/** 'none': the service shows no consumption of these credits, which does not mean that there is none. */
export type FoundUsage = CreditUsage | 'none' | 'unreadable';

/** The service limits the calls of a whole tenant. */
const CONCURRENCY = 4;

/**
 * The usages of each environment, in the order of the rows. If the service asks to wait, a paced session waits; with any
 * other session the usages are unreadable. Throws if nothing more can be read: see endsReading.
 */
export function readUsages<Row extends { environmentId: string }>(
  rows: readonly Row[],
  { session, now }: { session: Pick<AdminSession, 'readEntitlements'>; now(): number },
): Promise<(Row & { usages: CreditUsage[] | 'unreadable' })[]> {
  return mapConcurrently(rows, CONCURRENCY, async (row) => {
    const entitlements = await optional(session.readEntitlements(row.environmentId));
    return { ...row, usages: entitlements === 'gap' ? 'unreadable' : toCreditUsage(entitlements, now()) };
  });
}

/** The usage in one currency. */
export function findUsage(usages: readonly CreditUsage[] | 'unreadable', currency: string): FoundUsage {
  if (usages === 'unreadable') return usages;
  return usages.find(({ currencyType }) => isSameId(currencyType, currency)) ?? 'none';
}

const STALE_MS = 24 * 60 * 60 * 1000;

/** Leaves out entitlements without a currency, because it is not known what they count. */
export function toCreditUsage(entitlements: readonly Entitlement[], now: number): CreditUsage[] {
  return entitlements.flatMap((entitlement) => {
    const { entitlementId, consumed, capacity, payGoConsumed, asOf } = entitlement;
    if (entitlementId === undefined) return [];
    return [
      {
        currencyType: entitlementId,
        ...{ consumed, capacity, payGoConsumed, asOf },
        share: shareUsed(consumed, capacity),
        isStale: asOf !== undefined && now - asOf > STALE_MS,
        forecast: forecastUse(entitlement, now),
        ...(isMonthToDate(entitlement) && { isMonthToDate: true }),
      },
    ];
  });
}

/** Only figures that are said to count from the beginning of the month have a rate. */
function forecastUse(entitlement: Entitlement, now: number): Forecast | undefined {
  const { consumed, capacity, asOf } = entitlement;
  if (!isMonthToDate(entitlement) || consumed === undefined || capacity === undefined || asOf === undefined) {
    return undefined;
  }
  return forecast({ consumed, capacity, asOf }, now);
}

/** The first day of a month says little about the others. */
const MIN_OBSERVED_MS = 24 * 60 * 60 * 1000;

/**
 * `consumed`: since the month began, as counted at `asOf` (epoch ms). Undefined: the figures allow no forecast. It is too
 * early in the month, or they are invalid, or they are of another month than `now`.
 */
export function forecast(
  { consumed, capacity, asOf }: { consumed: number; capacity: number; asOf: number },
  now: number,
): Forecast | undefined {
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

/** The part of the capacity that is used: 0.5 is half, and it may be more than 1. Undefined: there is no capacity. */
export function shareUsed(consumed: number | undefined, capacity: number | undefined): number | undefined {
  if (consumed === undefined || capacity === undefined || capacity <= 0) return undefined;
  return Math.max(0, consumed / capacity);
}

/** Epoch ms; in UTC, as the contract names no time zone for months. `later`: 1 is the next month. */
export function startOfMonth(at: number, later = 0): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}
