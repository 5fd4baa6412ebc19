// What `/assistant-admin usage <environment>` shows: what an environment has used of its credits, and where that leads.
import type { Entitlement } from '../../admin/entitlement-wire.ts';
import { type Forecast, forecast, shareUsed } from '../allocation/forecast.ts';

/** Of one currency. Names and units come from outside. */
export type CreditUsage = {
  currencyType: string;
  unit: string | undefined;
  consumed: number | undefined;
  capacity: number | undefined;
  /** For a bar: 0.5 is half of the capacity, and it may be more than 1. */
  share: number | undefined;
  /** What has gone to the pay-as-you-go subscription. */
  payGoConsumed: number | undefined;
  /** Epoch ms of the figures, where the service tells it. */
  asOf: number | undefined;
  /** The figures are older than a day: consumption is counted with a delay, but not with such a one. */
  isStale: boolean;
  forecast: Forecast | undefined;
};

const STALE_MS = 24 * 60 * 60 * 1000;

/** An entitlement that names no currency is left out: what it counts cannot be told. */
export function toCreditUsage(entitlements: readonly Entitlement[], now: number): CreditUsage[] {
  return entitlements.flatMap((entitlement) => {
    const { entitlementId, unit, consumed, capacity, payGoConsumed, asOf } = entitlement;
    if (entitlementId === undefined) return [];
    return [
      {
        currencyType: entitlementId,
        unit,
        consumed,
        capacity,
        share: shareUsed(consumed, capacity),
        payGoConsumed,
        asOf,
        isStale: asOf !== undefined && now - asOf > STALE_MS,
        forecast: forecastUse(entitlement, now),
      },
    ];
  });
}

/** Only figures that are said to count from the beginning of the month have a rate. */
function forecastUse({ consumed, capacity, asOf, consumptionType }: Entitlement, now: number): Forecast | undefined {
  const isMonthToDate = consumptionType?.toLowerCase() === 'monthtodate';
  if (!isMonthToDate || consumed === undefined || capacity === undefined || asOf === undefined) return undefined;
  return forecast({ consumed, capacity, asOf }, now);
}
