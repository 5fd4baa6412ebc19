// How the changes of a bulk change ended, as a sheet: a row for each, in the order of the preview.

import { kindOf } from '../confirmation/change-kinds.ts';
import { buildSheet, type Column, type Sheet } from '../exports/sheet.ts';
import { type BulkItem, isClassification } from './bulk-item.ts';
import type { BulkChange, ItemEnd } from './bulk-records.ts';

const LEFT_OUT = 'What was left out of it beforehand is not in the file: the report says why.';

type Row = { item: BulkItem; end: ItemEnd | undefined };

/** `asOf`: epoch ms. */
export function buildBulkSheet(
  { bulk, items, ends }: { bulk: BulkChange; items: readonly BulkItem[]; ends: readonly ItemEnd[] },
  asOf: number,
): Sheet {
  const gaps = bulk.leftOut.length === 0 ? [] : [LEFT_OUT];
  const rows = items.map((item, index) => ({ item, end: ends[index] }));
  return buildSheet({ list: 'bulk', asOf, gaps }, COLUMNS, rows);
}

const COLUMNS: Column<Row>[] = [
  { name: 'outcome', read: ({ end }) => end?.kind },
  { name: 'reason', read: ({ end }) => end?.reason },
  { name: 'service_said', read: ({ end }) => end?.sentence },
  { name: 'changed_by', read: ({ end }) => end?.by },
  { name: 'kind', read: ({ item }) => item.kind },
  {
    name: 'name',
    read: ({ item }) => (isClassification(item) ? item.name : kindOf(item).toPlainName(item)),
  },
  { name: 'environment_id', read: ({ item }) => toSubject(item).environmentId },
  { name: 'agent_resource_id', read: ({ item }) => toLimit(item)?.agentResourceId },
  { name: 'currency', read: ({ item }) => toLimit(item)?.currencyType },
  { name: 'changes', read: ({ item }) => describeChanges(item) },
];

function toSubject(item: BulkItem) {
  return isClassification(item) ? item : kindOf(item).toSubject(item.plan);
}

function toLimit(item: BulkItem) {
  const subject = toSubject(item);
  return subject.kind === 'agent_limit' ? subject : undefined;
}

function describeChanges(item: BulkItem): string {
  if (isClassification(item)) return `classification: ${item.classification}`;
  const changed = item.plan.rows.filter(({ isChanged }) => isChanged);
  return changed.map(({ label, before, after }) => `${label}: ${before} → ${after}`).join('; ');
}
