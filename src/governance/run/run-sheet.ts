// The CSV of a run: how all its items ended.
import { toCanonicalJson } from '../../canonical-json.ts';
import type { Edit } from '../../policy/edit.ts';
import { type Cell, type Column, type Sheet, toTime } from '../exports/sheet.ts';
import type { Item, Plan } from '../plan/plan.ts';
import { listPolicyEdits, nameItem } from './item-words.ts';
import type { EndedRun, ItemResult } from './run-store.ts';

type Row = { item: Item; result: ItemResult | undefined };

const toIds = (item: Item) => (item.resource === 'credits' ? item : item.agent);

const COLUMNS: Column<Row>[] = [
  { name: 'resource', read: ({ item }) => item.resource },
  { name: 'name', read: ({ item }) => nameItem(item).name },
  { name: 'environment_id', read: ({ item }) => toIds(item).environmentId },
  { name: 'agent_id', read: ({ item }) => (item.resource === 'credits' ? undefined : item.agent.agentId) },
  { name: 'currency', read: ({ item }) => (item.resource === 'credits' ? undefined : item.currency) },
  { name: 'before', read: ({ item }) => toCanonicalJson(item.before) },
  { name: 'after', read: ({ item }) => toCanonicalJson(item.after) },
  { name: 'allows', read: ({ item }) => item.way },
  { name: 'result', read: ({ result }) => result?.kind },
  { name: 'written', read: ({ result }) => result?.written },
  { name: 'reason', read: ({ result }) => result?.reason },
  { name: 'service_said', read: ({ result }) => result?.said },
  { name: 'found', read: ({ result }) => (result?.found === undefined ? undefined : toCanonicalJson(result.found)) },
  { name: 'at', read: ({ result }) => toTime(result?.at) },
  { name: 'request_ids', read: ({ result }) => result?.requestIds.join(' ') },
];

export function buildRunSheet({ run, content, results }: Pick<EndedRun, 'run' | 'content' | 'results'>): Sheet<Row> {
  const rows = content.plan.items.map((item, index) => ({ item, result: results.get(index) }));
  return { list: 'changes', asOf: run.ended?.at ?? run.begunAt, gaps: [], columns: COLUMNS, rows };
}

/** What an approver decides about. */
type Asked = { plan: Pick<Plan, 'items' | 'edits'>; warnings: readonly string[]; reason: string; askedAt: number };

/** The CSV of a plan, for its approver: also the warnings, the reason, and what changes in the policy alone. */
export function buildPlanSheet({ plan, warnings, reason, askedAt }: Asked): Sheet<Cells> {
  const words = [...warnings.map((name) => ({ resource: 'warning', name })), { resource: 'reason', name: reason }];
  const rows = [...words, ...listPolicyEdits(plan).map(toEditCells), ...plan.items.map(toItemCells)];
  const columns = PLAN_COLUMNS.map(({ name }): Column<Cells> => ({ name, read: (cells) => cells[name] }));
  return { list: 'plan', asOf: askedAt, gaps: [], columns, rows };
}

const PLAN_COLUMNS = COLUMNS.slice(0, 8);

/** By the name of the column. */
type Cells = Record<string, Cell | undefined>;

function toItemCells(item: Item): Cells {
  return Object.fromEntries(PLAN_COLUMNS.map(({ name, read }) => [name, read({ item, result: undefined })]));
}

function toEditCells({ setting, target, change }: Edit): Cells {
  const { environmentId, agentId, currency, className, channel }: EditIds = target;
  return {
    ...{ resource: `policy: ${setting}`, name: className ?? channel, after: toCanonicalJson(change) },
    ...{ environment_id: environmentId, agent_id: agentId, currency },
  };
}

type EditIds = Partial<Record<'environmentId' | 'agentId' | 'currency' | 'className' | 'channel', string>>;
