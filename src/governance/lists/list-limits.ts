// What `/assistant-admin limits [agent]` shows: one page of agents with their limits and what is used of them.

import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Entitlement } from '../../admin-api/licensing-wire.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { KnownLimit } from '../inventory/agent-limit.ts';
import { type InventoryRow, joinInventory, listRows, matchAgents } from '../inventory/inventory.ts';
import {
  findThreshold,
  indexThresholds,
  type Thresholds,
  toDeploymentLimit,
  toLastSetLimit,
} from '../limits/known-limit.ts';
import { optional } from '../shell/admin-failure.ts';
import { type Page, takePage, toSearchText } from '../shell/values.ts';

export type LimitRow = InventoryRow & {
  known: KnownLimit;
  /** Of the whole environment: the contract tells no consumption of one agent. */
  environmentUse: EnvironmentUse | undefined;
};

export type EnvironmentUse = {
  consumed: number;
  capacity: number | undefined;
  unit: string | undefined;
  asOf: number | undefined;
};

/** What could not be read for this page; everything else holds all the same. */
export type LimitGap = 'environments' | 'limits' | 'limits_not_offered' | 'consumption';

export type LimitPage = Page & {
  rows: LimitRow[];
  /** What the agents were searched by; empty: all. */
  query: string;
  /** There may be more agents than the service listed. */
  truncated: boolean;
  gaps: LimitGap[];
  /** Epoch ms: of the limits and of what is used. */
  asOf: number;
  /** Epoch ms: of the list of agents, which is kept while its pages are turned. */
  listedAt: number;
};

export type LimitListPorts = {
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments' | 'readThresholds' | 'readEntitlements'>;
  changes: Pick<ChangeStore, 'lastSet'>;
  /** Entitlements are of many currencies; only this one's count. */
  currency: string;
  now: () => number;
};

/** Ten agents are about what one reads at once, and ten reads of entitlements what one waits for. */
export const LIMITS_PAGE_SIZE = 10;

/** Throws what finding the agents throws, and the refusal `admin_unauthorized`; what else cannot be read is a gap. */
export async function listLimits(
  { query = '', page = 0 }: { query?: string; page?: number },
  ports: LimitListPorts,
): Promise<LimitPage> {
  const { session, now } = ports;
  const [agents, environments, thresholds] = await Promise.all([
    session.findAgents(),
    optional(session.findEnvironments()),
    optional(session.readThresholds()),
  ]);
  const text = toSearchText(query);
  const matching = matchAgents(joinInventory(agents.rows, listRows(environments)), text);
  const { rows: onPage, ...where } = takePage(matching, page, LIMITS_PAGE_SIZE);
  const uses = await readUses(onPage, ports);
  const asOf = now();
  return {
    ...where,
    rows: await withLimits(onPage, thresholds === 'gap' ? 'unreadable' : thresholds, uses, { ...ports, asOf }),
    query: text,
    truncated: agents.truncated,
    gaps: [
      ...(environments === 'gap' ? ['environments' as const] : []),
      ...(thresholds === 'gap' ? ['limits' as const] : []),
      ...(thresholds === 'not_offered' ? ['limits_not_offered' as const] : []),
      ...([...uses.values()].includes('gap') ? ['consumption' as const] : []),
    ],
    asOf,
    listedAt: agents.readAt ?? asOf,
  };
}

type Uses = Map<string, EnvironmentUse | undefined | 'gap'>;

async function readUses(rows: readonly InventoryRow[], ports: LimitListPorts): Promise<Uses> {
  const ids = new Set(rows.flatMap(({ environmentId }) => (environmentId === undefined ? [] : [environmentId])));
  const uses = [...ids].map(async (id) => {
    const entitlements = await optional(ports.session.readEntitlements(id));
    return [id, entitlements === 'gap' ? 'gap' : toUse(entitlements, ports.currency)] as const;
  });
  return new Map(await Promise.all(uses));
}

function toUse(entitlements: readonly Entitlement[], currency: string): EnvironmentUse | undefined {
  const entitlement = entitlements.find(
    ({ entitlementId, consumed }) => consumed !== undefined && entitlementId?.toLowerCase() === currency.toLowerCase(),
  );
  if (entitlement?.consumed === undefined) return undefined;
  const { consumed, capacity, unit, asOf } = entitlement;
  return { consumed, capacity, unit, asOf };
}

function withLimits(
  rows: readonly InventoryRow[],
  thresholds: Thresholds,
  uses: Uses,
  { changes, asOf }: Pick<LimitListPorts, 'changes'> & { asOf: number },
): Promise<LimitRow[]> {
  const index = indexThresholds(Array.isArray(thresholds) ? thresholds : []);
  const readKnown = async ({ environmentId, agentResourceId, name }: InventoryRow) => {
    if (environmentId === undefined) return { known: { source: 'unknown' } satisfies KnownLimit };
    if (!Array.isArray(thresholds)) {
      return { known: toLastSetLimit(await changes.lastSet(environmentId, agentResourceId)) };
    }
    const threshold = findThreshold(index, { environmentId, agentResourceId, name });
    // Where the deployment files it under the agent's other id, that is the id to write to.
    return {
      known: toDeploymentLimit(threshold, asOf),
      agentResourceId: threshold?.resourceId ?? agentResourceId,
    };
  };
  return Promise.all(
    rows.map(async (row) => {
      const use = uses.get(row.environmentId ?? '');
      return { ...row, ...(await readKnown(row)), environmentUse: use === 'gap' ? undefined : use };
    }),
  );
}
