// What `/assistant-admin usage` shows: of many environments the credits that agents use, of one all credits and its agents.

import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Agent } from '../../admin-api/inventory-wire.ts';
import type { Entitlement, Threshold } from '../../admin-api/licensing-wire.ts';
import { isSameWord } from '../allocations/allocation.ts';
import { type CreditUsage, toCreditUsage } from '../allocations/consumption.ts';
import { listRows, matchEnvironments, type NamedEnvironment, nameEnvironments } from '../inventory/inventory.ts';
import { optional } from '../shell/admin-failure.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { type Page, takePage, toSearchText } from '../shell/values.ts';

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

/** A table has room for more rows than a list of sections, but each is one more call. */
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
    const entitlements = await optional(session.readEntitlements(environment.environmentId));
    return { ...environment, usage: entitlements === 'gap' ? 'unreadable' : findUsage(entitlements, currency, asOf) };
  };
  const used = await mapConcurrently(rows, CONCURRENCY, read);
  const { truncated } = environments;
  return { kind: 'overview', overview: { ...where, rows: used, query: text, currency, truncated, asOf } };
}

function findUsage(entitlements: readonly Entitlement[], currency: string, now: number): CreditUsage | 'none' {
  return toCreditUsage(entitlements, now).find(({ currencyType }) => isSameWord(currencyType, currency)) ?? 'none';
}

/** Of an agent with a limit; without one a deployment counts nothing of it. Names and ids come from outside. */
export type AgentUse = {
  name: string;
  /** Credits this month; undefined where it is not told. */
  consumption: number | undefined;
  /** Undefined: it has one, and the service does not tell it in a form that can be read. */
  limit: number | undefined;
  stopped: boolean | 'unknown';
};

export type EnvironmentUsage = {
  environmentId: string;
  /** The currency that agents use comes first. */
  credits: CreditUsage[];
  /** Those that have used the most of their limit first. 'not_offered': the deployment shows no limits. */
  agents: AgentUse[] | 'not_offered' | 'unreadable';
  /** Epoch ms. */
  asOf: number;
};

export type EnvironmentUsagePorts = {
  session: Pick<AdminSession, 'readEntitlements' | 'readThresholds' | 'findAgents'>;
  /** The credit currency that agents use. */
  currency: string;
  now: () => number;
};

/** Throws what reading the entitlements throws. */
export async function readEnvironmentUsage(
  environmentId: string,
  { session, currency, now }: EnvironmentUsagePorts,
): Promise<EnvironmentUsage> {
  const [entitlements, thresholds] = await Promise.all([
    session.readEntitlements(environmentId),
    optional(session.readThresholds()),
  ]);
  const asOf = now();
  const isAgents = ({ currencyType }: CreditUsage) => isSameWord(currencyType, currency);
  const credits = toCreditUsage(entitlements, asOf).sort(
    (one, other) => Number(isAgents(other)) - Number(isAgents(one)),
  );
  if (!Array.isArray(thresholds)) {
    return { environmentId, credits, agents: thresholds === 'gap' ? 'unreadable' : thresholds, asOf };
  }
  const own = thresholds.filter((threshold) => isSameWord(threshold.environmentId, environmentId));
  // Best effort: without names, ids are shown.
  const agents = own.length === 0 ? [] : listRows(await optional(session.findAgents({ environmentId })));
  return { environmentId, credits, agents: toUses(own, agents), asOf };
}

function toUses(thresholds: readonly Threshold[], agents: readonly Agent[]): AgentUse[] {
  const names = new Map(
    agents.flatMap(({ name, agentResourceId, displayName }) =>
      [name, agentResourceId].map((id) => [id.toLowerCase(), displayName ?? name] as const),
    ),
  );
  const uses = thresholds.map(({ resourceId, consumption, limit, stopResource }) => ({
    name: names.get(resourceId.toLowerCase()) ?? resourceId,
    consumption,
    limit,
    stopped: stopResource,
  }));
  return uses.sort((one, other) => toShare(other) - toShare(one) || one.name.localeCompare(other.name, 'en'));
}

/** For sorting only: what has used anything of a limit of 0 comes first, unknown consumption last. */
function toShare({ consumption, limit }: AgentUse): number {
  if (consumption === undefined || limit === undefined) return -1;
  return limit > 0 ? consumption / limit : consumption;
}
