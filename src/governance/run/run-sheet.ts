// The CSV of a run: how all its items ended.
import { toCanonicalJson } from '../../canonical-json.ts';
import { buildSheet, type Column, type Sheet, toTime } from '../exports/sheet.ts';
import type { Item } from '../plan/plan.ts';
import { nameItem } from './item-words.ts';
import type { EndedRun, ItemResult } from './run.ts';

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

export function buildRunSheet({ run, content, results }: Pick<EndedRun, 'run' | 'content' | 'results'>): Sheet {
  const rows = content.plan.items.map((item, index) => ({ item, result: results.get(index) }));
  return buildSheet({ list: 'changes', asOf: run.ended?.at ?? run.begunAt, gaps: [] }, COLUMNS, rows);
}

/** The CSV of a plan, for its approver. */
export function buildPlanSheet({ items, asOf }: { items: readonly Item[]; asOf: number }): Sheet {
  const columns = COLUMNS.slice(0, 8);
  return buildSheet(
    { list: 'plan', asOf, gaps: [] },
    columns,
    items.map((item) => ({ item, result: undefined })),
  );
}
