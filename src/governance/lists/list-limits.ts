// What `/assistant-admin limits` shows: one page of agents with their limits, what is used of them, and what they add up to.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Entitlement } from '../../admin-api/licensing-wire.ts';
import { isSameWord } from '../allocations/allocation.ts';
import type { CreditUsage } from '../allocations/consumption.ts';
import type { ChangeStore } from '../changes/change.ts';
import { toReader } from '../consumption/read-usages.ts';
import { type GovernedAgent, isNoLimit, type KnownLimit, readStopped, readValues } from '../inventory/agent-limit.ts';
import { type InventoryRow, toGovernedAgent } from '../inventory/inventory.ts';
import {
  findThreshold,
  indexThresholds,
  type Thresholds,
  toDeploymentLimit,
  toLastSetLimit,
} from '../limits/known-limit.ts';
import { optional } from '../shell/admin-failure.ts';
import { mapConcurrently } from '../shell/concurrency.ts';
import { findFilteredAgents, withHarness } from './filter-agents.ts';
import type { ListFilter } from './list-filter.ts';
import { type Page, takePage, type WantedPage } from './take-page.ts';

type KnownRow = InventoryRow & { known: KnownLimit };

export type LimitRow = KnownRow & {
  /** Of the whole environment: the contract tells no consumption of one agent. */
  environmentUse: EnvironmentUse | undefined;
};

export type EnvironmentUse = Pick<CreditUsage, 'capacity' | 'unit' | 'asOf'> & { consumed: number };

/** What could not be read for this page; everything else holds all the same. */
export type LimitGap = 'environments' | 'limits' | 'limits_not_offered' | 'consumption';

/** Of all agents that the filter leaves, on all pages. */
type LimitTotals = {
  /** How many have a limit, and the sum of these in credits a month. */
  limited: number;
  limits: number;
  /** Credits this month, of how many agents they are told. */
  used: number;
  told: number;
  /** How many have none; 'unknown' counts those of which it cannot be told. */
  none: number;
  unknown: number;
  stopped: number;
};

export type LimitPage = Page & {
  rows: LimitRow[];
  filter: ListFilter;
  /** What was typed, for the buttons that lead on. */
  query: string;
  /** The name of the environment, where the filter means just one that is listed. */
  environmentName: string | undefined;
  /** Undefined: too many agents to ask the store for the limits of each. */
  totals: LimitTotals | undefined;
  /** On all pages: of how many agents a limit can be set. */
  settable: number;
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
  /** The credit currency that agents use. An environment may have many currencies; only this one's count. */
  currency: string;
  now: () => number;
  /** See UsageReadPorts: without it, consumption that would have to be waited for is a gap. */
  patience?: AbortSignal | undefined;
};

/** Ten agents are about what one reads at once, and ten reads of entitlements what one waits for. */
export const LIMITS_PAGE_SIZE = 10;

/** Of more than a page: the service counts the calls of a whole tenant. */
const READS_AT_ONCE = 4;

/** Throws what finding the agents throws, and the refusal `admin_unauthorized`; what else cannot be read is a gap. */
export async function listLimits(
  { filter, query, page = 0, pageSize = LIMITS_PAGE_SIZE }: { filter: ListFilter; query: string } & WantedPage,
  ports: LimitListPorts,
): Promise<LimitPage> {
  const { found, thresholds, asOf, agents, known, addKnown } = await findLimited(filter, ports);
  const onPage = takePage(known ?? agents, page, pageSize);
  const shown = known ? takePage(known, page, pageSize).rows : await addKnown(onPage.rows);
  const uses = await readUses(shown, ports);
  return {
    ...onPage,
    rows: shown.map((row) => withUse(row, uses)),
    filter,
    query,
    environmentName: found.environmentName,
    totals: known && addUp(known),
    settable: (known ?? agents).filter(isGoverned).length,
    truncated: found.truncated,
    gaps: [
      ...(found.isGap ? ['environments' as const] : []),
      ...(thresholds === 'gap' ? ['limits' as const] : []),
      ...(thresholds === 'not_offered' ? ['limits_not_offered' as const] : []),
      ...([...uses.values()].includes('gap') ? ['consumption' as const] : []),
    ],
    asOf,
    listedAt: found.readAt ?? asOf,
  };
}

/** All agents that the filter leaves, and of which a limit can be set. Throws as listLimits does. */
export async function findSettable(
  filter: ListFilter,
  ports: Omit<LimitListPorts, 'currency'>,
): Promise<Pick<LimitPage, 'environmentName' | 'truncated'> & { agents: GovernedAgent[] }> {
  const { found, known, agents } = await findLimited(filter, ports);
  const { environmentName, truncated } = found;
  return { environmentName, truncated, agents: (known ?? agents).flatMap((row) => toGovernedAgent(row) ?? []) };
}

function isGoverned(row: InventoryRow): boolean {
  return toGovernedAgent(row) !== undefined;
}

/** `known`: those that the filter leaves, in its order; undefined where it leaves all `agents`, which are too many to ask. */
async function findLimited(filter: ListFilter, ports: Omit<LimitListPorts, 'currency'>) {
  const { session, now } = ports;
  const [found, thresholds] = await Promise.all([
    findFilteredAgents(filter, session),
    optional(session.readThresholds()),
  ]);
  const asOf = now();
  const addKnown = (rows: readonly InventoryRow[]) => withKnown(rows, toReadable(thresholds), { ...ports, asOf });
  const agents = withHarness(found.rows, filter);
  const isTold = Array.isArray(thresholds);
  const isPageOnly = !isTold && agents.length > MAX_ASKED && !needsLimits(filter);
  const known = isPageOnly ? undefined : sortLimits((await addKnown(agents)).filter(toTest(filter, isTold)), filter);
  return { found, thresholds, asOf, agents, known, addKnown };
}

function toReadable(thresholds: Awaited<ReturnType<AdminSession['readThresholds']>> | 'gap'): Thresholds {
  return thresholds === 'gap' ? 'unreadable' : thresholds;
}

/** Where the service tells no limits, the store is asked for each agent; for more than this only where they are asked for. */
const MAX_ASKED = 5_000;
const CONCURRENCY = 50;

function needsLimits({ over, none, stopped }: ListFilter): boolean {
  return over !== undefined || none === true || stopped === true;
}

function withKnown(
  rows: readonly InventoryRow[],
  thresholds: Thresholds,
  { changes, asOf }: Pick<LimitListPorts, 'changes'> & { asOf: number },
): Promise<KnownRow[]> {
  const index = indexThresholds(Array.isArray(thresholds) ? thresholds : []);
  return mapConcurrently(rows, CONCURRENCY, async (row) => {
    const { environmentId, agentResourceId, name } = row;
    if (environmentId === undefined) return { ...row, known: { source: 'unknown' } satisfies KnownLimit };
    if (!Array.isArray(thresholds)) {
      return { ...row, known: toLastSetLimit(await changes.lastSet(environmentId, agentResourceId)) };
    }
    const threshold = findThreshold(index, { environmentId, agentResourceId, name });
    // If the deployment keeps it under the agent's other id, that is the id to write to.
    const id = threshold?.resourceId ?? agentResourceId;
    return { ...row, known: toDeploymentLimit(threshold, asOf), agentResourceId: id };
  });
}

/** `isTold`: the service tells limits. Where it does not, those have none that none was set for from here. */
function toTest({ over, none, stopped }: ListFilter, isTold: boolean): (row: KnownRow) => boolean {
  const isWithout = ({ known, environmentId }: KnownRow) =>
    hasNoLimit(known) || (!isTold && known.source === 'unknown' && environmentId !== undefined);
  return (row) =>
    (over === undefined || (shareOf(row.known) ?? -1) >= over / 100) &&
    (none === undefined || isWithout(row)) &&
    (stopped === undefined || isStopped(row.known));
}

function hasNoLimit(known: KnownLimit): boolean {
  const limit = readValues(known);
  return known.source === 'none' || (limit !== undefined && isNoLimit(limit));
}

/** Where the service tells no limits: as it was last set from here. */
function isStopped(known: KnownLimit): boolean {
  return readStopped(known) === true || readValues(known)?.stopped === true;
}

/** Of the limit that is used; what has used anything of a limit of 0 is above all others. */
function shareOf(known: KnownLimit): number | undefined {
  if (known.source !== 'deployment' || known.consumption === undefined || hasNoLimit(known)) return undefined;
  const { limit } = known.limit;
  if (limit > 0) return known.consumption / limit;
  return known.consumption > 0 ? Number.POSITIVE_INFINITY : 0;
}

/** The largest share first, where it is what they are filtered by. */
function sortLimits(rows: readonly KnownRow[], { over }: ListFilter): readonly KnownRow[] {
  if (over === undefined) return rows;
  const size = ({ known }: KnownRow) => shareOf(known) ?? -1;
  // Not a difference: of two infinite ones it is no number.
  return rows.toSorted((one, other) => Number(size(other) > size(one)) - Number(size(one) > size(other)));
}

function usedOf(known: KnownLimit): number | undefined {
  return known.source === 'deployment' ? known.consumption : undefined;
}

function addUp(rows: readonly KnownRow[]): LimitTotals {
  const limits = rows.flatMap(({ known }) => (hasNoLimit(known) ? [] : (readValues(known)?.limit ?? [])));
  const used = rows.flatMap(({ known }) => usedOf(known) ?? []);
  const none = rows.filter(({ known }) => hasNoLimit(known)).length;
  return {
    limited: limits.length,
    limits: sum(limits),
    used: sum(used),
    told: used.length,
    none,
    unknown: rows.length - limits.length - none,
    stopped: rows.filter(({ known }) => isStopped(known)).length,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

type Uses = Map<string, EnvironmentUse | undefined | 'gap'>;

async function readUses(rows: readonly InventoryRow[], ports: LimitListPorts): Promise<Uses> {
  const ids = new Set(rows.flatMap(({ environmentId }) => (environmentId === undefined ? [] : [environmentId])));
  const concurrency = ids.size > LIMITS_PAGE_SIZE ? READS_AT_ONCE : LIMITS_PAGE_SIZE;
  const read = toReader(ports.patience);
  const uses = await mapConcurrently([...ids], concurrency, async (id) => {
    const entitlements = await read(() => ports.session.readEntitlements(id));
    return [id, entitlements === 'gap' ? 'gap' : toUse(entitlements, ports.currency)] as const;
  });
  return new Map(uses);
}

function toUse(entitlements: readonly Entitlement[], currency: string): EnvironmentUse | undefined {
  const entitlement = entitlements.find(
    ({ entitlementId, consumed }) => consumed !== undefined && isSameWord(entitlementId ?? '', currency),
  );
  if (entitlement?.consumed === undefined) return undefined;
  const { consumed, capacity, unit, asOf } = entitlement;
  return { consumed, capacity, unit, asOf };
}

function withUse(row: KnownRow, uses: Uses): LimitRow {
  const use = uses.get(row.environmentId ?? '');
  return { ...row, environmentUse: use === 'gap' ? undefined : use };
}
