// What many environments have used of one currency, a few of them at a time.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Entitlement } from '../../admin-api/licensing-wire.ts';
import { isSameId } from '../policy/target.ts';
import { optional } from '../shell/admin-failure.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { type CreditUsage, toCreditUsage } from './credit-usage.ts';

/** 'none': the service shows no consumption of these credits in it, which does not say that there is none. */
export type FoundUsage = CreditUsage | 'none' | 'unreadable';

export type UsageReadOptions = {
  /** A paced one waits where the service asks to; with any other that is unreadable. */
  session: Pick<AdminSession, 'readEntitlements'>;
  /** The credit currency that agents use. */
  currency: string;
  now: () => number;
};

const CONCURRENCY = 4;

/** In the order of the rows. Throws what ends all reading: see endsReading. */
export function readUsages<Row extends { environmentId: string }>(
  rows: readonly Row[],
  { session, currency, now }: UsageReadOptions,
): Promise<(Row & { usage: FoundUsage })[]> {
  return mapConcurrently(rows, CONCURRENCY, async (row) => {
    const entitlements = await optional(session.readEntitlements(row.environmentId));
    return { ...row, usage: entitlements === 'gap' ? 'unreadable' : findUsage(entitlements, currency, now()) };
  });
}

function findUsage(entitlements: readonly Entitlement[], currency: string, now: number): CreditUsage | 'none' {
  return toCreditUsage(entitlements, now).find(({ currencyType }) => isSameId(currencyType, currency)) ?? 'none';
}
