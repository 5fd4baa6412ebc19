// The lists of agents, environments, limits and usage as sheets: all rows, under columns whose names are stable.
import { buildSheet, type Column, type Sheet, toTime } from '../exports/sheet.ts';
import { type KnownLimit, readStopped } from '../inventory/agent-limit.ts';
import type { InventoryRow, NamedEnvironment } from '../inventory/inventory.ts';
import { type AgentListPorts, listAgents } from './list-agents.ts';
import { type EnvironmentListPorts, type EnvironmentRow, listEnvironments } from './list-environments.ts';
import type { ListFilter } from './list-filter.ts';
import { type LimitListPorts, type LimitRow, listLimits } from './list-limits.ts';
import { listUsage, type UsagePorts, type UsageRow } from './list-usage.ts';

/** What is missing in a sheet, as sentences. */
const GAPS = {
  agents_truncated: 'The service did not list everything: agents may be missing.',
  agents_unreadable: 'The agents could not be read, so they are not counted.',
  consumption: 'The consumption of some environments could not be read: it is empty there.',
  environments: 'The names of environments could not be read: they are empty.',
  environments_truncated: 'The service did not list everything: environments may be missing.',
  limits: 'The limits could not be read from the service: the file has what was last set from here.',
  limits_not_offered: 'This service does not show limits: the file has what was last set from here.',
};

/** All rows on one page. */
const ALL = { page: 0, pageSize: Number.MAX_SAFE_INTEGER };

/** `query`: what was typed. */
export type WantedSheet = { filter: ListFilter; query: string };

/** Throws what finding the agents throws. */
export async function readAgentSheet({ filter }: WantedSheet, ports: AgentListPorts): Promise<Sheet> {
  const list = await listAgents({ filter, ...ALL }, ports);
  const gaps = [...(list.truncated ? [GAPS.agents_truncated] : []), ...(list.isGap ? [GAPS.environments] : [])];
  return buildSheet({ list: 'agents', asOf: list.asOf, gaps }, AGENT_COLUMNS, list.rows);
}

/** Throws what finding the environments throws. */
export async function readEnvironmentSheet(wanted: WantedSheet, ports: EnvironmentListPorts): Promise<Sheet> {
  const list = await listEnvironments({ ...wanted, ...ALL }, ports);
  const gaps = [
    ...(list.truncated ? [GAPS.environments_truncated] : []),
    ...(list.agentGap === undefined ? [] : [GAPS[`agents_${list.agentGap}`]]),
  ];
  return buildSheet({ list: 'environments', asOf: list.asOf, gaps }, ENVIRONMENT_COLUMNS, list.rows);
}

/** Throws what listLimits throws. */
export async function readLimitSheet(wanted: WantedSheet, ports: LimitListPorts): Promise<Sheet> {
  const list = await listLimits({ ...wanted, ...ALL }, ports);
  const gaps = [...(list.truncated ? [GAPS.agents_truncated] : []), ...list.gaps.map((gap) => GAPS[gap])];
  return buildSheet({ list: 'limits', asOf: list.asOf, gaps }, LIMIT_COLUMNS, list.rows);
}

/** Also of one environment alone. Throws what listUsage throws. */
export async function readUsageSheet(wanted: WantedSheet, ports: UsagePorts): Promise<Sheet> {
  const list = await listUsage({ ...wanted, ...ALL, isWhole: true }, ports);
  if (list.kind !== 'overview') throw new Error('an overview was asked for');
  const { rows, truncated, unreadable, asOf } = list.overview;
  const gaps = [...(truncated ? [GAPS.environments_truncated] : []), ...(unreadable > 0 ? [GAPS.consumption] : [])];
  return buildSheet({ list: 'usage', asOf, gaps }, USAGE_COLUMNS, rows);
}

const AGENT_COLUMNS: Column<InventoryRow>[] = [
  { name: 'agent_id', read: ({ name }) => name },
  { name: 'agent_resource_id', read: ({ agentResourceId }) => agentResourceId },
  { name: 'agent_name', read: ({ displayName }) => displayName },
  { name: 'environment_id', read: ({ environmentId }) => environmentId },
  { name: 'environment_name', read: ({ environmentName }) => environmentName },
  { name: 'owner_id', read: ({ ownerId }) => ownerId },
  { name: 'is_harness', read: ({ isHarness }) => orNull(isHarness) },
];

const NAMED_COLUMNS: Column<NamedEnvironment>[] = [
  { name: 'environment_id', read: ({ environmentId }) => environmentId },
  { name: 'environment_name', read: ({ name }) => name },
  { name: 'owner_id', read: ({ ownerId }) => ownerId },
];

const ENVIRONMENT_COLUMNS: Column<EnvironmentRow>[] = [
  ...NAMED_COLUMNS,
  { name: 'agents', read: ({ agents }) => agents?.all },
  { name: 'harness_agents', read: ({ agents }) => agents?.harness },
  { name: 'unknown_harness_agents', read: ({ agents }) => agents?.unknown },
];

const LIMIT_COLUMNS: Column<LimitRow>[] = [
  ...AGENT_COLUMNS,
  { name: 'limit_source', read: ({ known }) => known.source },
  { name: 'monthly_limit', read: ({ known }) => readTold(known)?.limit },
  { name: 'used', read: ({ known }) => readUsed(known) },
  { name: 'share', read: ({ known }) => readShare(known) },
  { name: 'notifies', read: ({ known }) => orNull(readTold(known)?.notify) },
  { name: 'notifies_at_percent', read: ({ known }) => orNull(readTold(known)?.notificationThreshold) },
  { name: 'stops_when_reached', read: ({ known }) => orNull(readTold(known)?.stopWhenReached) },
  { name: 'is_stopped', read: ({ known }) => orNull(readStopped(known)) },
  { name: 'set_at', read: ({ known }) => toTime(known.source === 'last_set' ? known.setAt : undefined) },
  { name: 'set_by', read: ({ known }) => (known.source === 'last_set' ? known.setBy : null) },
  { name: 'environment_used', read: ({ environmentUse }) => environmentUse?.consumed },
  { name: 'environment_capacity', read: ({ environmentUse }) => environmentUse?.capacity },
  { name: 'environment_used_as_of', read: ({ environmentUse }) => toTime(environmentUse?.asOf) },
];

const USAGE_COLUMNS: Column<UsageRow>[] = [
  ...NAMED_COLUMNS,
  { name: 'state', read: ({ usage }) => (typeof usage === 'object' ? 'read' : usage) },
  { name: 'used', read: (row) => readUsage(row)?.consumed },
  { name: 'capacity', read: (row) => readUsage(row)?.capacity },
  { name: 'share', read: (row) => readUsage(row)?.share },
  { name: 'unit', read: (row) => readUsage(row)?.unit },
  { name: 'used_pay_as_you_go', read: (row) => readUsage(row)?.payGoConsumed },
  { name: 'as_of', read: (row) => toTime(readUsage(row)?.asOf) },
  { name: 'is_stale', read: (row) => readUsage(row)?.isStale },
  { name: 'forecast', read: (row) => readForecast(row)?.kind },
  { name: 'forecast_reached_at', read: (row) => toTime(readForecastPart(row, 'at')) },
  { name: 'forecast_used', read: (row) => readForecastPart(row, 'consumed') },
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
