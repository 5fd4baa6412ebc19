// The lists of agents, environments, limits and usage as sheets: all rows, under columns whose names are stable.
import { buildSheet, type Column, type Sheet } from '../exports/sheet.ts';
import { type KnownLimit, readStopped } from '../inventory/agent-limit.ts';
import type { InventoryRow, NamedEnvironment } from '../inventory/inventory.ts';
import { type AgentListPorts, listAgents } from './list-agents.ts';
import { type EnvironmentListPorts, type EnvironmentRow, listEnvironments } from './list-environments.ts';
import type { ListFilter } from './list-filter.ts';
import { type LimitListPorts, type LimitRow, listLimits } from './list-limits.ts';
import { listUsage, type UsagePorts, type UsageRow } from './list-usage.ts';

/** What is missing in a sheet. Stable: programs read it. */
export type SheetGap =
  | 'agents_truncated'
  | 'agents_unreadable'
  | 'consumption_unreadable'
  | 'entries_left_out'
  | 'environments_truncated'
  | 'environments_unreadable'
  | 'limits_not_offered'
  | 'limits_unreadable'
  | 'names_unreadable';

/** All rows on one page. */
const ALL = { page: 0, pageSize: Number.MAX_SAFE_INTEGER };

/** `query`: what was typed. */
export type WantedSheet = { filter: ListFilter; query: string };

/** Throws what finding the agents throws. */
export async function readAgentSheet({ filter, query }: WantedSheet, ports: AgentListPorts): Promise<Sheet> {
  const list = await listAgents({ filter, ...ALL }, ports);
  const gaps: SheetGap[] = [
    ...(list.truncated ? ['agents_truncated' as const] : []),
    ...(list.isGap ? ['environments_unreadable' as const] : []),
  ];
  return buildSheet({ list: 'agents', asOf: list.asOf, about: { query }, gaps }, AGENT_COLUMNS, list.rows);
}

/** Throws what finding the environments throws. */
export async function readEnvironmentSheet(wanted: WantedSheet, ports: EnvironmentListPorts): Promise<Sheet> {
  const list = await listEnvironments({ ...wanted, ...ALL }, ports);
  const gaps: SheetGap[] = [
    ...(list.truncated ? ['environments_truncated' as const] : []),
    ...(list.agentGap === undefined ? [] : [`agents_${list.agentGap}` as const]),
  ];
  const { asOf, query: text } = list;
  return buildSheet({ list: 'environments', asOf, about: { query: text }, gaps }, ENVIRONMENT_COLUMNS, list.rows);
}

const LIMIT_GAPS = {
  environments: 'environments_unreadable',
  limits: 'limits_unreadable',
  limits_not_offered: 'limits_not_offered',
  consumption: 'consumption_unreadable',
} as const;

/** Throws what listLimits throws. */
export async function readLimitSheet(wanted: WantedSheet, ports: LimitListPorts): Promise<Sheet> {
  const list = await listLimits({ ...wanted, ...ALL }, ports);
  const gaps: SheetGap[] = [
    ...(list.truncated ? ['agents_truncated' as const] : []),
    ...list.gaps.map((gap) => LIMIT_GAPS[gap]),
  ];
  const about = { query: list.query, currency: ports.currency };
  return buildSheet({ list: 'limits', asOf: list.asOf, about, gaps }, LIMIT_COLUMNS, list.rows);
}

/** Also of one environment alone. Throws what listUsage throws. */
export async function readUsageSheet(wanted: WantedSheet, ports: UsagePorts): Promise<Sheet> {
  const list = await listUsage({ ...wanted, ...ALL, isWhole: true }, ports);
  if (list.kind !== 'overview') throw new Error('an overview was asked for');
  const { rows, truncated, unreadable, asOf, currency, query: text } = list.overview;
  const gaps: SheetGap[] = [
    ...(truncated ? ['environments_truncated' as const] : []),
    ...(unreadable > 0 ? ['consumption_unreadable' as const] : []),
  ];
  return buildSheet({ list: 'usage', asOf, about: { query: text, currency }, gaps }, USAGE_COLUMNS, rows);
}

const AGENT_COLUMNS: Column<InventoryRow>[] = [
  { name: 'agent_id', type: 'text', read: ({ name }) => name },
  { name: 'agent_resource_id', type: 'text', read: ({ agentResourceId }) => agentResourceId },
  { name: 'agent_name', type: 'text', read: ({ displayName }) => displayName },
  { name: 'environment_id', type: 'text', read: ({ environmentId }) => environmentId },
  { name: 'environment_name', type: 'text', read: ({ environmentName }) => environmentName },
  { name: 'owner_id', type: 'text', read: ({ ownerId }) => ownerId },
  { name: 'is_harness', type: 'boolean', read: ({ isHarness }) => orNull(isHarness) },
];

const NAMED_COLUMNS: Column<NamedEnvironment>[] = [
  { name: 'environment_id', type: 'text', read: ({ environmentId }) => environmentId },
  { name: 'environment_name', type: 'text', read: ({ name }) => name },
  { name: 'owner_id', type: 'text', read: ({ ownerId }) => ownerId },
];

const ENVIRONMENT_COLUMNS: Column<EnvironmentRow>[] = [
  ...NAMED_COLUMNS,
  { name: 'agents', type: 'number', read: ({ agents }) => agents?.all },
  { name: 'harness_agents', type: 'number', read: ({ agents }) => agents?.harness },
  { name: 'unknown_harness_agents', type: 'number', read: ({ agents }) => agents?.unknown },
];

const LIMIT_COLUMNS: Column<LimitRow>[] = [
  ...AGENT_COLUMNS,
  { name: 'limit_source', type: 'text', read: ({ known }) => known.source },
  { name: 'monthly_limit', type: 'number', read: ({ known }) => readTold(known)?.limit },
  { name: 'used', type: 'number', read: ({ known }) => readUsed(known) },
  { name: 'share', type: 'number', read: ({ known }) => readShare(known) },
  { name: 'notifies', type: 'boolean', read: ({ known }) => orNull(readTold(known)?.notify) },
  { name: 'notifies_at_percent', type: 'number', read: ({ known }) => orNull(readTold(known)?.notificationThreshold) },
  { name: 'stops_when_reached', type: 'boolean', read: ({ known }) => orNull(readTold(known)?.stopWhenReached) },
  { name: 'is_stopped', type: 'boolean', read: ({ known }) => orNull(readStopped(known)) },
  { name: 'set_at', type: 'time', read: ({ known }) => (known.source === 'last_set' ? known.setAt : null) },
  { name: 'set_by', type: 'text', read: ({ known }) => (known.source === 'last_set' ? known.setBy : null) },
  { name: 'environment_used', type: 'number', read: ({ environmentUse }) => environmentUse?.consumed },
  { name: 'environment_capacity', type: 'number', read: ({ environmentUse }) => environmentUse?.capacity },
  { name: 'environment_used_as_of', type: 'time', read: ({ environmentUse }) => environmentUse?.asOf },
];

const USAGE_COLUMNS: Column<UsageRow>[] = [
  ...NAMED_COLUMNS,
  { name: 'state', type: 'text', read: ({ usage }) => (typeof usage === 'object' ? 'read' : usage) },
  { name: 'used', type: 'number', read: (row) => readUsage(row)?.consumed },
  { name: 'capacity', type: 'number', read: (row) => readUsage(row)?.capacity },
  { name: 'share', type: 'number', read: (row) => readUsage(row)?.share },
  { name: 'unit', type: 'text', read: (row) => readUsage(row)?.unit },
  { name: 'used_pay_as_you_go', type: 'number', read: (row) => readUsage(row)?.payGoConsumed },
  { name: 'as_of', type: 'time', read: (row) => readUsage(row)?.asOf },
  { name: 'is_stale', type: 'boolean', read: (row) => readUsage(row)?.isStale },
  { name: 'forecast', type: 'text', read: (row) => readForecast(row)?.kind },
  { name: 'forecast_reached_at', type: 'time', read: (row) => readForecastPart(row, 'at') },
  { name: 'forecast_used', type: 'number', read: (row) => readForecastPart(row, 'consumed') },
];

function orNull<T>(value: T | 'unknown'): T | null {
  return value === 'unknown' ? null : (value as T);
}

/** Also of a limit that could be read in part. */
function readTold(known: KnownLimit) {
  if (known.source === 'unknown') return known.told;
  return known.source === 'none' ? undefined : known.limit;
}

function readUsed(known: KnownLimit): number | undefined {
  return known.source === 'deployment' ? known.consumption : undefined;
}

function readShare(known: KnownLimit): number | undefined {
  const [used, limit] = [readUsed(known), readTold(known)?.limit];
  return used === undefined || limit === undefined || limit <= 0 ? undefined : used / limit;
}

function readUsage({ usage }: UsageRow) {
  return typeof usage === 'object' ? usage : undefined;
}

function readForecast(row: UsageRow) {
  return readUsage(row)?.forecast;
}

function readForecastPart(row: UsageRow, part: 'at' | 'consumed'): number | undefined {
  const forecast = readForecast(row);
  if (part === 'at') return forecast?.kind === 'reaches' ? forecast.at : undefined;
  return forecast?.kind === 'stays_within' ? forecast.consumed : undefined;
}
