// The list of environments: their class, credits, rules, usage and owners.
import { readClass, readCredits } from '../../policy/policy.ts';
import { type Credits, RULE_TYPES, type RuleType } from '../../policy/values.ts';
import { toDay } from '../../usage/usage.ts';
import { readMonthBefore, toHistoryName } from '../consumption/consumption-history.ts';
import { type CreditUsage, type FoundUsage, findUsage, readUsages } from '../consumption/credit-usage.ts';
import { toTime } from '../exports/sheet.ts';
import { type NamedEnvironment, nameEnvironments } from '../inventory/inventory.ts';
import { RULE_LABELS } from '../operations/credits.ts';
import { findCredits } from '../plan/compare.ts';
import { readSeen } from '../plan/read-seen.ts';
import type { SeenCredits } from '../plan/seen.ts';
import { createPacedSession } from '../run/paced-session.ts';
import { optional } from '../shell/admin-failure.ts';
import { formatCount, formatCredits } from '../shell/numbers.ts';
import {
  CLASS_COLUMN,
  COMMON_FILTERS,
  type Column,
  type List,
  type Look,
  OWNER_COLUMN,
  type Owned,
  type Rows,
} from './list.ts';
import { addUp, describeChange, describeForecast, formatUse, listCounts, orUnknown } from './list-words.ts';

/** `agents`: undefined if they could not be read. The other fields are undefined until `complete` reads them. */
export type EnvironmentRow = NamedEnvironment &
  Owned & {
    agents: { all: number; harness: number; unknown: number } | undefined;
    /** `none`: the service lists no credits of the currency that agents use. */
    credits?: Credits | 'none' | 'unreadable';
    policyCredits?: Credits | undefined;
    usage?: FoundUsage;
    /** What it had used in the month before, up to the same day. */
    usedBefore?: number | undefined;
  };

const WITH_RULE: Record<RuleType, string> = {
  Alert: 'alert',
  TenantPool: 'draws on the pool',
  PayGo: 'billed as you go',
  Deny: 'deny',
};

const COLUMNS: Column<EnvironmentRow>[] = [
  { name: 'environment_id', read: ({ environmentId }) => environmentId },
  { name: 'environment_name', read: ({ name }) => name },
  CLASS_COLUMN,
  { name: 'allocated', read: (row) => toCredits(row)?.allocated, show: showCredits },
  { name: 'policy_allocated', read: ({ policyCredits }) => policyCredits?.allocated },
  { name: 'alert', read: (row) => readRule(row, 'Alert') },
  { name: 'draws_on_pool', read: (row) => readRule(row, 'TenantPool') },
  { name: 'is_billed', read: (row) => readRule(row, 'PayGo') },
  { name: 'deny', read: (row) => readRule(row, 'Deny'), show: showRules },
  { name: 'used', read: (row) => toUsage(row)?.consumed, show: showUsed, line: 2 },
  { name: 'capacity', read: (row) => toUsage(row)?.capacity },
  { name: 'share', read: (row) => toUsage(row)?.share },
  { name: 'used_pay_as_you_go', read: (row) => toUsage(row)?.payGoConsumed, show: showBilled, line: 2 },
  { name: 'used_as_of', read: (row) => toTime(toUsage(row)?.asOf) },
  { name: 'used_last_month', read: ({ usedBefore }) => usedBefore, show: showChange, line: 2 },
  {
    name: 'forecast',
    read: (row) => toUsage(row)?.forecast?.kind,
    show: (row, shown) => describeForecast(toUsage(row)?.forecast, shown),
    line: 2,
  },
  { ...OWNER_COLUMN, line: 3 },
  { name: 'agents', read: ({ agents }) => agents?.all, show: showAgents, line: 3 },
  { name: 'harness_agents', read: ({ agents }) => agents?.harness },
];

export const ENVIRONMENTS: List<EnvironmentRow> = {
  name: 'environments',
  one: 'environment',
  many: 'environments',
  columns: COLUMNS,
  filters: [
    ...COMMON_FILTERS,
    { word: 'harness', test: hasHarness },
    { word: 'pool', isCostly: true, test: (row) => readRule(row, 'TenantPool') },
    { word: 'payg', isCostly: true, test: (row) => readRule(row, 'PayGo') },
    {
      word: 'over',
      isCostly: true,
      test: (row, _, percent) => orUnknown(toUsage(row)?.share, (share) => share >= percent / 100),
    },
  ],
  sorts: [{ word: 'over', size: (row) => toUsage(row)?.share ?? -1 }],
  title: ({ name, environmentId }) => ({ name: name || environmentId }),
  texts: ({ name, environmentId }) => [name, environmentId],
  read: readEnvironments,
  complete,
  totals: listTotals,
  remarks: (rows) => [
    ...(rows.some(({ usage }) => typeof usage === 'object' && usage.isStale)
      ? [':warning: Some figures are more than a day old.']
      : []),
  ],
};

async function readEnvironments({ session, services }: Look): Promise<Rows<EnvironmentRow>> {
  const { now, policy: store } = services;
  const [environments, agents, { policy }] = await Promise.all([
    session.findEnvironments(),
    optional(session.findAgents()),
    store.read(),
  ]);
  const byEnvironment = Map.groupBy(
    agents === 'gap' ? [] : agents.rows,
    (one) => one.environmentId?.toLowerCase() ?? '',
  );
  const rows = nameEnvironments(environments.rows).map((environment): EnvironmentRow => {
    const own = byEnvironment.get(environment.environmentId.toLowerCase()) ?? [];
    const count = (isHarness: boolean | 'unknown') => own.filter((one) => one.isHarness === isHarness).length;
    return {
      ...environment,
      className: readClass(policy, environment.environmentId, now()),
      agents: agents === 'gap' ? undefined : { all: own.length, harness: count(true), unknown: count('unknown') },
    };
  });
  const notes = [
    ...(environments.truncated ? [':warning: The service did not list everything: environments may be missing.'] : []),
    ...(agents === 'gap' ? [':warning: The agents could not be read, so they are not counted.'] : []),
    ...(agents !== 'gap' && agents.truncated
      ? [':warning: The service did not list all agents: there may be more.']
      : []),
  ];
  return { rows, notes, asOf: now() };
}

/** Adds credits and consumption, with two calls for each environment. */
async function complete(rows: readonly EnvironmentRow[], look: Look): Promise<EnvironmentRow[]> {
  const { services, query } = look;
  const { currency, now, history } = services;
  const isFiltered = ENVIRONMENTS.filters.some(({ word, isCostly }) => isCostly && query.filters.has(word));
  const session = query.isFile || isFiltered ? createPacedSession(look.session, services.stopping) : look.session;
  const [seen, used, { policy }] = await Promise.all([
    readSeen(session, { environments: rows, currencies: [currency] }, services),
    readUsages(rows, { session, now }),
    services.policy.read(),
  ]);
  // The day of the figure itself: the last one that was recorded may be weeks older.
  const days = used.map(({ environmentId, usages }) => {
    const usage = findUsage(usages, currency);
    const asOf = typeof usage === 'object' ? usage.asOf : undefined;
    return [toHistoryName(environmentId), toDay(Math.min(asOf ?? now(), now()))] as const;
  });
  const before = await readMonthBefore(new Map(days), now(), history);
  return used.map(({ usages, ...row }) => ({
    ...row,
    usage: findUsage(usages, currency),
    credits: toOwnCredits(seen.credits(row.environmentId), currency),
    policyCredits: readCredits(policy, { environmentId: row.environmentId, currency }, now())?.value,
    usedBefore: before.get(toHistoryName(row.environmentId)),
  }));
}

function toOwnCredits(seen: SeenCredits | undefined, currency: string): Credits | 'none' | 'unreadable' {
  if (seen === undefined || seen === 'unreadable') return 'unreadable';
  return findCredits(seen.credits, currency) ?? 'none';
}

function toCredits({ credits }: EnvironmentRow): Credits | undefined {
  return typeof credits === 'object' ? credits : undefined;
}

function toUsage({ usage }: EnvironmentRow): CreditUsage | undefined {
  return typeof usage === 'object' ? usage : undefined;
}

/** A rule that the service does not list is unknown: the platform decides it. */
function readRule(row: EnvironmentRow, rule: RuleType): boolean | undefined {
  return toCredits(row)?.rules[rule];
}

function hasHarness({ agents }: EnvironmentRow): boolean | undefined {
  if (agents === undefined) return undefined;
  if (agents.harness > 0) return true;
  return agents.unknown > 0 ? undefined : false;
}

function showCredits({ credits, policyCredits }: EnvironmentRow): string | undefined {
  if (credits === undefined) return undefined;
  if (credits === 'unreadable') return 'credits unreadable';
  const amount = credits === 'none' ? 'no allocation' : showAmount(credits.allocated);
  const approved = policyCredits?.allocated;
  const isSame = approved === undefined || (credits !== 'none' && credits.allocated === approved);
  return isSame ? amount : `${amount} (policy: ${formatCredits(approved)})`;
}

function showAmount(allocated: number | undefined): string {
  return allocated === undefined ? 'credits unknown' : `${formatCredits(allocated)} credits`;
}

function showRules(row: EnvironmentRow): string | undefined {
  const credits = toCredits(row);
  if (credits === undefined) return undefined;
  const on = RULE_TYPES.filter((rule) => credits.rules[rule]).map((rule) => WITH_RULE[rule]);
  const hidden = RULE_TYPES.filter((rule) => credits.rules[rule] === undefined).map((rule) =>
    RULE_LABELS[rule].toLowerCase(),
  );
  const parts = [
    ...(on.length === 0 ? [] : [on.join(', ')]),
    ...(hidden.length === 0 ? [] : [`${hidden.join(', ')}: not shown`]),
  ];
  return parts.length === 0 ? 'no rule on' : parts.join(' · ');
}

function showUsed({ usage }: EnvironmentRow): string | undefined {
  if (usage === undefined) return undefined;
  if (typeof usage === 'string') return usage === 'none' ? 'no use shown' : 'use unreadable';
  return usage.consumed === undefined ? 'use unknown' : formatUse(usage.consumed, usage.share);
}

function showBilled(row: EnvironmentRow): string | undefined {
  const billed = toUsage(row)?.payGoConsumed ?? 0;
  return billed > 0 ? `${formatCredits(billed)} billed as you go` : undefined;
}

function showChange(row: EnvironmentRow): string | undefined {
  const used = toUsage(row)?.consumed;
  return used === undefined ? undefined : describeChange(used, row.usedBefore);
}

function showAgents({ agents }: EnvironmentRow): string {
  if (agents === undefined) return 'agents unreadable';
  const { all, harness, unknown } = agents;
  const kinds = [
    ...(harness > 0 ? [`${formatCredits(harness)} harness`] : []),
    ...(unknown > 0 ? [`${formatCredits(unknown)} unknown`] : []),
  ];
  return `${formatCount(all, 'agent')}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`;
}

function listTotals(rows: readonly EnvironmentRow[]): string[] {
  const count = (test: (row: EnvironmentRow) => boolean | undefined) => rows.filter(test).length;
  const pool = count((row) => readRule(row, 'TenantPool'));
  return [
    `${formatCredits(addUp(rows, (row) => toCredits(row)?.allocated))} credits`,
    `used ${formatCredits(addUp(rows, (row) => toUsage(row)?.consumed))}`,
    ...listCounts({
      'without a class': count(({ className }) => className === undefined),
      [pool === 1 ? 'draws on the pool' : 'draw on the pool']: pool,
      'billed as you go': count((row) => readRule(row, 'PayGo')),
      unreadable: count(({ credits, usage }) => credits === 'unreadable' || usage === 'unreadable'),
    }),
  ];
}
