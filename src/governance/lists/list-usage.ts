// What `/assistant-admin usage` shows of many environments: what each has used of the credits that agents use.

import type { Entitlement } from '../../admin/entitlement-wire.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { isSameWord } from '../allocation/credit-rules.ts';
import { type CreditUsage, toCreditUsage } from '../allocations/consumption.ts';
import { matchEnvironments, type NamedEnvironment, nameEnvironments } from '../environments.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import { orGap } from '../or-gap.ts';
import { toSearchText } from '../search-text.ts';
import { type Page, takePage } from '../take-page.ts';

/** 'none': the service tells of no consumption of these credits in it, which does not say that there are none. */
export type UsageRow = NamedEnvironment & { usage: CreditUsage | 'none' | 'unreadable' };

export type UsageOverview = Page & {
  rows: UsageRow[];
  query: string;
  currency: string;
  /** The service did not list all environments. */
  truncated: boolean;
  /** Epoch ms. */
  asOf: number;
};

export type UsageListPorts = {
  session: Pick<AdminSession, 'findEnvironments' | 'readEntitlements'>;
  /** The credit currency that agents use. */
  currency: string;
  now: () => number;
};

/** A table takes more rows than a list of sections, and each of them is one more call. */
const PAGE_SIZE = 20;

const CONCURRENCY = 4;

export type FoundUsage = { kind: 'overview'; overview: UsageOverview } | { kind: 'one'; environment: NamedEnvironment };

/**
 * The overview of all environments, or of those that a text fits; `one` where it fits just one, of which nothing is read
 * here. Only the entitlements of the page are read. Throws what finding the environments throws.
 */
export async function listUsage(
  { query = '', page = 0 }: { query?: string; page?: number },
  ports: UsageListPorts,
): Promise<FoundUsage> {
  const { session, currency, now } = ports;
  const environments = await session.findEnvironments();
  const text = toSearchText(query);
  const matching = matchEnvironments(nameEnvironments(environments.rows), text);
  const [only] = matching;
  if (text !== '' && only !== undefined && matching.length === 1) return { kind: 'one', environment: only };
  const { rows, ...where } = takePage(matching, page, PAGE_SIZE);
  const asOf = now();
  const read = async (environment: NamedEnvironment): Promise<UsageRow> => {
    const entitlements = await orGap(session.readEntitlements(environment.environmentId));
    return { ...environment, usage: entitlements === 'gap' ? 'unreadable' : findUsage(entitlements, currency, asOf) };
  };
  const used = await mapConcurrently(rows, CONCURRENCY, read);
  const { truncated } = environments;
  return { kind: 'overview', overview: { ...where, rows: used, query: text, currency, truncated, asOf } };
}

function findUsage(entitlements: readonly Entitlement[], currency: string, now: number): CreditUsage | 'none' {
  return toCreditUsage(entitlements, now).find(({ currencyType }) => isSameWord(currencyType, currency)) ?? 'none';
}
