// What `/assistant-admin usage` shows: of many environments the credits that agents use, of one all credits and its agents.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Agent } from '../../admin-api/inventory-wire.ts';
import type { Threshold } from '../../admin-api/licensing-wire.ts';
import { isSameWord } from '../allocations/allocation.ts';
import { type CreditUsage, shareUsed, toCreditUsage } from '../allocations/consumption.ts';
import { type FoundUsage as FoundCredits, readUsages, type UsageReadPorts } from '../consumption/read-usages.ts';
import { listRows, matchEnvironments, type NamedEnvironment, nameEnvironments } from '../inventory/inventory.ts';
import { optional } from '../shell/admin-failure.ts';
import { withOwner } from './filter-agents.ts';
import type { ListFilter } from './list-filter.ts';
import { type Page, takePage, type WantedPage } from './take-page.ts';

export type UsageRow = NamedEnvironment & { usage: FoundCredits };

/** Of all environments that the filter leaves, on all pages. In credits. */
type UsageTotals = {
  consumed: number;
  /** The sum of what they have of these credits, as far as it is told. */
  capacity: number;
  /** 0.5 is half; undefined where the capacity of any is not told. */
  share: number | undefined;
  payGoConsumed: number;
  /** In how many the service tells no consumption. */
  none: number;
};

export type UsageOverview = Page & {
  rows: UsageRow[];
  filter: ListFilter;
  /** What was typed, for the buttons that lead on. */
  query: string;
  currency: string;
  /** Undefined: there are too many environments to read all of them for a page. */
  totals: UsageTotals | undefined;
  /** Of how many it could not be read, of those that were looked at: a filter may have left them out. */
  unreadable: number;
  /** The service did not list all environments. */
  truncated: boolean;
  /** Epoch ms; of the oldest of the rows, which are kept while pages are turned. */
  asOf: number;
};

export type UsagePorts = Omit<UsageReadPorts, 'session'> & {
  session: Pick<AdminSession, 'findAgents' | 'findEnvironments' | 'readEntitlements' | 'readThresholds'>;
};

/** A table has room for more rows than a list of sections, but each is one more call. */
const PAGE_SIZE = 20;

/** More than this are read only where a filter needs them; a total needs them, too. */
const MAX_TOTALLED = 250;

/** Some minutes of reading, four at a time. */
const MAX_READ = 5_000;

export type FoundUsage =
  | { kind: 'overview'; overview: UsageOverview }
  | { kind: 'one'; environment: NamedEnvironment }
  /** More than may be read for a filter. */
  | { kind: 'too_many'; total: number; most: number };

/** `isWhole`: an overview of all that the filter leaves, also where that is just one environment or very many. */
type WantedUsage = { filter: ListFilter; query: string; isWhole?: boolean } & WantedPage;

/**
 * The overview of all environments, or of those that a filter leaves; `one` where a name fits just one, of which nothing
 * is read here. Of very many environments only the page is read, unless the filter needs all of them. Throws what finding
 * the environments throws, and the refusal `admin_unauthorized`.
 */
export async function listUsage(
  { filter, query, page = 0, pageSize = PAGE_SIZE, isWhole = false }: WantedUsage,
  ports: UsagePorts,
): Promise<FoundUsage> {
  const { session, currency, now } = ports;
  const { rows: environments, truncated } = await session.findEnvironments();
  const matching = withOwner(matchEnvironments(nameEnvironments(environments), filter.name), filter);
  const [only] = matching;
  const needsAll = filter.over !== undefined;
  if (filter.name !== '' && only !== undefined && matching.length === 1 && !needsAll && !isWhole) {
    return { kind: 'one', environment: only };
  }
  if (needsAll && !isWhole && matching.length > MAX_READ)
    return { kind: 'too_many', total: matching.length, most: MAX_READ };
  const isAll = needsAll || isWhole || matching.length <= MAX_TOTALLED;
  const all = isAll ? await readUsages(matching, ports) : undefined;
  const left = all && sortUsage(all.filter(toTest(filter)), filter);
  const shown = left ? takePage(left, page, pageSize) : await readPage(takePage(matching, page, pageSize), ports);
  const overview: UsageOverview = {
    ...shown,
    filter,
    query,
    currency,
    totals: left && addUp(left),
    unreadable: (all ?? shown.rows).filter(({ usage }) => usage === 'unreadable').length,
    truncated,
    asOf: Math.min(now(), ...shown.rows.map(({ readAt }) => readAt)),
  };
  return { kind: 'overview', overview };
}

async function readPage({ rows, ...where }: Page & { rows: NamedEnvironment[] }, ports: UsagePorts) {
  return { ...where, rows: await readUsages(rows, { ...ports, patience: undefined }) };
}

function toTest({ over }: ListFilter): (row: UsageRow) => boolean {
  return ({ usage }) => over === undefined || (typeof usage === 'object' && (usage.share ?? -1) >= over / 100);
}

/** The largest share first, where it is what they are filtered by. */
function sortUsage<Row extends UsageRow>(rows: readonly Row[], { over }: ListFilter): readonly Row[] {
  if (over === undefined) return rows;
  const size = ({ usage }: Row) => (typeof usage === 'object' ? (usage.share ?? -1) : -1);
  // Not a difference: of two infinite ones it is no number.
  return rows.toSorted((one, other) => Number(size(other) > size(one)) - Number(size(one) > size(other)));
}

function addUp(rows: readonly UsageRow[]): UsageTotals {
  const usages = rows.flatMap(({ usage }) => (typeof usage === 'object' ? usage : []));
  const told = usages.filter(({ consumed }) => consumed !== undefined);
  const sum = (toNumber: (usage: CreditUsage) => number | undefined) =>
    told.reduce((total, usage) => total + (toNumber(usage) ?? 0), 0);
  const consumed = sum((usage) => usage.consumed);
  const capacity = sum((usage) => usage.capacity);
  return {
    consumed,
    capacity,
    share: told.every((usage) => usage.capacity !== undefined) ? shareUsed(consumed, capacity) : undefined,
    payGoConsumed: sum((usage) => usage.payGoConsumed),
    none: rows.filter(({ usage }) => usage === 'none').length + usages.length - told.length,
  };
}

/** Of an agent with a limit: deployments do not count agents without one. Names and ids come from outside. */
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

/** Throws what reading the entitlements throws. */
export async function readEnvironmentUsage(
  environmentId: string,
  { session, currency, now }: Pick<UsagePorts, 'session' | 'currency' | 'now'>,
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
