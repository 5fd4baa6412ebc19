// What `/assistant-admin usage <environment>` shows: all credits of one environment, and what its agents use of theirs.

import type { Threshold } from '../admin/threshold-wire.ts';
import type { AdminSession } from '../admin-api/admin-session.ts';
import type { Agent } from '../admin-api/inventory-wire.ts';
import { isSameWord } from './allocation/credit-rules.ts';
import { type CreditUsage, toCreditUsage } from './allocations/consumption.ts';
import { orGap } from './or-gap.ts';

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
    orGap(session.readThresholds()),
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
  // Their names are a comfort: without them their ids do.
  const found = own.length === 0 ? { rows: [] } : await orGap(session.findAgents({ environmentId }));
  return { environmentId, credits, agents: toUses(own, found === 'gap' ? [] : found.rows), asOf };
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

/** For the order alone: what has used anything of a limit of none comes first, what is not told last. */
function toShare({ consumption, limit }: AgentUse): number {
  if (consumption === undefined || limit === undefined) return -1;
  return limit > 0 ? consumption / limit : consumption;
}
