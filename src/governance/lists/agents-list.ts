// The list of agents: their limits, what the policy says, their usage and their owners.
import { describeUntil, type Effective, type Policy, readClass, readLimit, readStop } from '../../policy/policy.ts';
import type { Limit } from '../../policy/values.ts';
import { type Forecast, forecast } from '../consumption/credit-usage.ts';
import { toTime } from '../exports/sheet.ts';
import { type InventoryRow, readInventory, toSeenAgent } from '../inventory/inventory.ts';
import { isSameLimit } from '../plan/compare.ts';
import { readSeen } from '../plan/read-seen.ts';
import type { Sent, ThresholdState } from '../plan/seen.ts';
import { toSentKey } from '../run/run-store.ts';
import { formatCount, formatCredits } from '../shell/numbers.ts';
import {
  CLASS_COLUMN,
  COMMON_FILTERS,
  type Column,
  ENVIRONMENT_FILTER,
  type List,
  type Look,
  OWNER_COLUMN,
  type Owned,
  type Rows,
} from './list.ts';
import { addUp, describeForecast, formatDay, formatUse, listCounts, orUnknown } from './list-words.ts';

/** `shown`: what the service shows. `sent`: what was last sent from here, if the service shows nothing. */
export type AgentRow = InventoryRow &
  Owned & {
    shown: ThresholdState | 'hidden' | 'unreadable';
    sent: Sent | undefined;
    policyLimit: Effective<Limit> | undefined;
    policyStop: Effective<boolean> | undefined;
    /** For this month, if usage goes on like this. */
    forecast: Forecast | undefined;
  };

const COLUMNS: Column<AgentRow>[] = [
  { name: 'agent_id', read: ({ name }) => name },
  { name: 'agent_name', read: ({ displayName }) => displayName },
  { name: 'environment_id', read: ({ environmentId }) => environmentId },
  { name: 'environment_name', read: ({ environmentName }) => environmentName },
  { ...CLASS_COLUMN, line: 2 },
  { name: 'limit', read: (row) => readCredits(readKnownLimit(row)), show: showLimit },
  { name: 'notice_at_percent', read: (row) => toParts(row)?.noticeAt },
  { name: 'stops_at_limit', read: (row) => toParts(row)?.stopAtLimit },
  { name: 'limit_as_of', read: readSource },
  { name: 'limit_sent_at', read: ({ sent }) => toTime(sent?.at) },
  { name: 'policy_limit', read: ({ policyLimit }) => readCredits(policyLimit?.value), show: showPolicy },
  { name: 'is_stopped', read: (row) => isStopped(row), show: (row) => (isStopped(row) ? '■ stopped' : undefined) },
  { name: 'policy_is_stopped', read: ({ policyStop }) => policyStop?.value },
  { name: 'used', read: readUsed, show: showUsed },
  { name: 'share', read: readShare },
  { name: 'forecast', read: (row) => row.forecast?.kind, show: (row, shown) => describeForecast(row.forecast, shown) },
  {
    name: 'forecast_reached_at',
    read: (row) => toTime(row.forecast?.kind === 'reaches' ? row.forecast.at : undefined),
  },
  { ...OWNER_COLUMN, line: 2 },
  {
    name: 'is_harness',
    read: ({ isHarness }) => (isHarness === 'unknown' ? undefined : isHarness),
    show: ({ isHarness }) => ({ true: 'harness', false: undefined, unknown: 'harness unknown' })[`${isHarness}`],
    line: 2,
  },
];

export const AGENTS: List<AgentRow> = {
  name: 'agents',
  one: 'agent',
  many: 'agents',
  columns: COLUMNS,
  filters: [
    ...COMMON_FILTERS,
    ENVIRONMENT_FILTER,
    { word: 'over', test: (row, _, percent) => orUnknown(shareOf(row), (share) => share >= percent / 100) },
    { word: 'stopped', test: isStopped },
    { word: 'harness', test: ({ isHarness }) => (isHarness === 'unknown' ? undefined : isHarness) },
    { word: 'nolimit', test: (row) => orUnknown(readKnownLimit(row), (limit) => limit === 'none') },
  ],
  sorts: [{ word: 'over', size: (row) => shareOf(row) ?? -1 }],
  title: ({ displayName, name, environmentName, environmentId }) => ({
    name: displayName || name,
    where: environmentName ?? environmentId,
  }),
  texts: ({ displayName, name, agentResourceId, environmentName = '', environmentId = '' }) => [
    ...[displayName, name, agentResourceId, environmentName, environmentId],
  ],
  read: readAgents,
  totals: listTotals,
  remarks: (rows) => [
    ...(rows.some(({ shown }) => shown === 'hidden')
      ? ['The service shows no limits: these are the ones last sent from here.']
      : []),
    ...(rows.some(({ shown }) => shown === 'unreadable')
      ? [':warning: Some limits could not be read: these are the ones last sent from here.']
      : []),
  ],
};

/** The contract does not have the read of limits. If it takes longer, the list is shown without it. */
const READ_WITHIN_MS = 20_000;

async function readAgents({ session, services }: Look): Promise<Rows<AgentRow>> {
  const { currency, now } = services;
  const [{ rows, truncated }, { policy }] = await Promise.all([readInventory(session), services.policy.read()]);
  const agents = rows.flatMap((row) => toSeenAgent(row) ?? []);
  const seen = await readSeen(session, { agents, currencies: [currency], withinMs: READ_WITHIN_MS }, services);
  const hidden = agents.filter((agent) => typeof seen.threshold(agent, currency) !== 'object');
  const readSent = await services.sent.readFor(hidden.map((agent) => toSentKey({ agent, currency })));
  const toRow = (row: InventoryRow): AgentRow => {
    const agent = toSeenAgent(row);
    const shown = agent ? seen.threshold(agent, currency) : 'unreadable';
    const sent = agent && readSent(toSentKey({ agent, currency }));
    return { ...row, shown, sent, ...readPolicy(row, policy, services), forecast: forecastOf(shown, now()) };
  };
  const notes = truncated ? [':warning: The service did not list everything: agents may be missing.'] : [];
  return { rows: rows.map(toRow), notes, asOf: seen.at };
}

function readPolicy(row: InventoryRow, policy: Policy, { now, currency }: Look['services']) {
  const { environmentId, name: agentId } = row;
  if (environmentId === undefined) return { className: undefined, policyLimit: undefined, policyStop: undefined };
  const target = { environmentId, agentId };
  const at = { now: now(), defaultCurrency: currency };
  return {
    className: readClass(policy, environmentId, at.now),
    policyLimit: readLimit(policy, { ...target, currency }, at),
    policyStop: readStop(policy, target, at.now),
  };
}

function forecastOf(shown: AgentRow['shown'], now: number): Forecast | undefined {
  if (typeof shown !== 'object' || shown.limit === 'none' || shown.used === undefined) return undefined;
  return forecast({ consumed: shown.used, capacity: shown.limit.credits, asOf: now }, now);
}

/** What the service shows, else what was last sent from here, else what the policy says. */
function readKnownLimit({ shown, sent, policyLimit }: AgentRow): Limit | undefined {
  return (typeof shown === 'object' ? shown : sent)?.limit ?? policyLimit?.value;
}

/** Undefined: it is not known. */
export function isStopped({ shown, sent, policyStop }: AgentRow): boolean | undefined {
  const known = (typeof shown === 'object' ? shown : sent)?.stopped;
  // A class has no stops. If the service does not show this agent, somebody may have stopped it elsewhere.
  return known ?? (policyStop?.level === 'class' ? undefined : policyStop?.value);
}

function readSource({ shown, sent, policyLimit }: AgentRow): string {
  if (typeof shown === 'object') return 'service';
  if (sent !== undefined) return 'sent';
  return policyLimit === undefined ? 'unknown' : 'policy';
}

function readCredits(limit: Limit | undefined): number | string | undefined {
  return typeof limit === 'object' ? limit.credits : limit;
}

function toParts(row: AgentRow) {
  const limit = readKnownLimit(row);
  return typeof limit === 'object' ? limit : undefined;
}

function readUsed({ shown }: AgentRow): number | undefined {
  return typeof shown === 'object' ? shown.used : undefined;
}

/** Undefined: not known. -1: no limit. With a limit of 0, any usage is above all other shares. */
function shareOf(row: AgentRow): number | undefined {
  const used = readUsed(row);
  const limit = typeof row.shown === 'object' ? row.shown.limit : undefined;
  if (used === undefined || limit === undefined) return undefined;
  if (limit === 'none') return -1;
  if (limit.credits > 0) return used / limit.credits;
  return used > 0 ? Number.POSITIVE_INFINITY : 0;
}

/** For people and programs. Undefined: not known, or nothing to compare the usage with. */
function readShare(row: AgentRow): number | undefined {
  const share = shareOf(row);
  return share !== undefined && share >= 0 && Number.isFinite(share) ? share : undefined;
}

function showLimit(row: AgentRow, { timeZone, now }: { timeZone: string; now: number }): string {
  const limit = readKnownLimit(row);
  if (limit === undefined) return 'limit unknown';
  const source = readSource(row);
  if (source === 'service') return describeLimit(limit);
  const from = row.sent ? `sent ${formatDay(row.sent.at, timeZone, now)}` : 'by the policy';
  return `${describeLimit(limit)}, ${from}, not shown`;
}

function describeLimit(limit: Limit): string {
  return limit === 'none' ? 'no limit' : `limit ${formatCredits(limit.credits)}`;
}

function showPolicy(row: AgentRow): string | undefined {
  const { policyLimit } = row;
  const known = readKnownLimit(row);
  if (policyLimit === undefined || (known !== undefined && isSameLimit(known, policyLimit.value))) return undefined;
  const { value, until } = policyLimit;
  return `policy: ${describeLimit(value)}${describeUntil(until)}`;
}

function showUsed(row: AgentRow): string | undefined {
  const used = readUsed(row);
  return used === undefined ? undefined : formatUse(used, readShare(row));
}

function listTotals(rows: readonly AgentRow[]): string[] {
  const limited = rows.filter((row) => toParts(row) !== undefined);
  const ofLimits = `${formatCount(limited.length, 'limit')}, ${formatCredits(addUp(limited, (row) => toParts(row)?.credits))} credits a month`;
  return [
    ...(limited.length === 0 ? [] : [ofLimits]),
    ...(rows.some((row) => readUsed(row) !== undefined) ? [`used ${formatCredits(addUp(rows, readUsed))}`] : []),
    ...listCounts({
      'without a limit': rows.filter((row) => readKnownLimit(row) === 'none').length,
      stopped: rows.filter(isStopped).length,
      'with a limit that is unknown': rows.filter((row) => readKnownLimit(row) === undefined).length,
    }),
  ];
}
