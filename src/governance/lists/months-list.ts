// What environments or agents used in one month, as it was recorded. Works for past months as well.
import { readClass } from '../../policy/policy.ts';
import { toDay } from '../../usage/usage.ts';
import {
  endOfMonth,
  type HistoryName,
  type Point,
  parseAgentName,
  toAgentName,
  toHistoryName,
} from '../consumption/consumption-history.ts';
import { toTime } from '../exports/sheet.ts';
import { listRows, nameEnvironments, readInventory } from '../inventory/inventory.ts';
import { optional } from '../shell/admin-failure.ts';
import { formatCredits } from '../shell/numbers.ts';
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
import type { Period } from './list-query.ts';
import { addUp, formatDay } from './list-words.ts';

/** Names are those of now. Ids of what no longer exists are in lower case. `until`: the last day that is counted. */
export type MonthRow = Owned & {
  environmentId: string;
  environmentName: string | undefined;
  agentId?: string;
  agentName?: string | undefined;
  used: number;
  until: number;
};

const DAY_MS = 24 * 3_600_000;

const toMs = (day: number) => day * DAY_MS;

function buildColumns(month: string, isOfAgents: boolean): Column<MonthRow>[] {
  const ofAgents: Column<MonthRow>[] = [
    { name: 'agent_id', read: ({ agentId }) => agentId },
    { name: 'agent_name', read: ({ agentName }) => agentName },
  ];
  return [
    { name: 'month', read: () => month },
    { name: 'environment_id', read: ({ environmentId }) => environmentId },
    { name: 'environment_name', read: ({ environmentName }) => environmentName },
    ...(isOfAgents ? ofAgents : []),
    CLASS_COLUMN,
    { name: 'used', read: ({ used }) => used, show: ({ used }) => `used ${formatCredits(used)}` },
    {
      name: 'counted_until',
      read: ({ until }) => toTime(toMs(until))?.slice(0, 10),
      show: ({ until }) => `counted until ${formatDay(toMs(until), 'utc')}`,
    },
    OWNER_COLUMN,
  ];
}

/** `period`: a month. */
export function toMonthList(name: 'agents' | 'environments', { text }: Period): List<MonthRow> {
  const isOfAgents = name === 'agents';
  const noun = isOfAgents ? 'agent' : 'environment';
  return {
    name,
    one: `${noun} in ${text}`,
    many: `${noun}s in ${text}`,
    columns: buildColumns(text, isOfAgents),
    filters: [...COMMON_FILTERS, ...(isOfAgents ? [ENVIRONMENT_FILTER] : [])],
    sorts: [],
    title: ({ agentId, agentName, environmentId, environmentName }) => {
      const environment = environmentName ?? environmentId;
      return isOfAgents ? { name: agentName ?? agentId ?? '', where: environment } : { name: environment };
    },
    texts: ({ agentId = '', agentName = '', environmentId, environmentName = '' }) => [
      ...[agentName, agentId, environmentName, environmentId],
    ],
    read: (look) => readMonth(look, text, isOfAgents),
    totals: (rows) => [`used ${formatCredits(addUp(rows, ({ used }) => used))}`],
  };
}

async function readMonth({ session, services }: Look, month: string, isOfAgents: boolean): Promise<Rows<MonthRow>> {
  const { now, history, policy: store } = services;
  const first = toDay(Date.parse(`${month}-01T00:00:00Z`));
  const [figures, environments, inventory, { policy }] = await Promise.all([
    history.readLast(first, endOfMonth(first)),
    optional(session.findEnvironments()),
    isOfAgents ? optional(readInventory(session)) : ('gap' as const),
    store.read(),
  ]);
  const named = new Map(nameEnvironments(listRows(environments)).map((one) => [toHistoryName(one.environmentId), one]));
  const agents = new Map(
    listRows(inventory).map((row) => [toAgentName({ environmentId: row.environmentId ?? '', agentId: row.name }), row]),
  );
  const readOn = figures.get('agents')?.credits;
  const rows = [...figures].flatMap(([name, point]): MonthRow[] => {
    const ids: MonthIds | undefined = isOfAgents ? parseAgentName(name) : parseEnvironmentName(name);
    if (ids === undefined) return [];
    const environment = named.get(toHistoryName(ids.environmentId));
    const agent = agents.get(name);
    return [
      {
        environmentId: environment?.environmentId ?? ids.environmentId,
        environmentName: environment?.name,
        ...(ids.agentId !== undefined && { agentId: agent?.name ?? ids.agentId, agentName: agent?.displayName }),
        className: readClass(policy, ids.environmentId, now()),
        ownerId: (isOfAgents ? agent : environment)?.ownerId,
        used: point.credits,
        until: isOfAgents ? (readOn ?? point.day) : point.day,
      },
    ];
  });
  const sorted = rows.toSorted((one, other) => other.used - one.used);
  const notes = describeGaps(figures, rows, { isOver: endOfMonth(first) < toDay(now()), last: endOfMonth(first) });
  return { rows: sorted, notes, asOf: now() };
}

/** In lower case. */
type MonthIds = { environmentId: string; agentId?: string };

function parseEnvironmentName(name: HistoryName): { environmentId: string } | undefined {
  const prefix = toHistoryName('');
  return name.startsWith(prefix) ? { environmentId: name.slice(prefix.length) } : undefined;
}

function describeGaps(
  figures: ReadonlyMap<HistoryName, Point>,
  rows: readonly MonthRow[],
  { isOver, last }: { isOver: boolean; last: number },
): string[] {
  const missing = figures.get('missing')?.credits ?? 0;
  return [
    ...(rows.length === 0
      ? [
          'Nothing is recorded of that month. Figures are recorded where the scheduled review is set up, and kept for 124 days.',
        ]
      : []),
    ...(isOver && rows.some(({ until }) => until < last)
      ? [':warning: Some were last counted before the month ended.']
      : []),
    ...(missing > 0 ? [':warning: Not all environments could be read when that was recorded last.'] : []),
  ];
}
