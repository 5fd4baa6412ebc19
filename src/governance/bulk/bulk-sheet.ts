// How the changes of a bulk change ended, as a sheet: a row for each, in the order of the preview.

import type { PlannedChange } from '../changes/change-kind.ts';
import { kindOf } from '../confirmation/change-kinds.ts';
import { buildSheet, type Column, type Sheet } from '../exports/sheet.ts';
import type { BulkChange, ItemEnd } from './bulk-records.ts';

type Row = { change: PlannedChange; end: ItemEnd | undefined };

/** `asOf`: epoch ms. */
export function buildBulkSheet(
  { bulk, items, ends }: { bulk: BulkChange; items: readonly PlannedChange[]; ends: readonly ItemEnd[] },
  asOf: number,
): Sheet {
  const { id, by, confirmed, ended, leftOut } = bulk;
  const about = {
    bulk: id,
    user: by.user,
    approver: bulk.approver,
    reason: confirmed?.reason,
    ended: ended?.why,
  };
  const gaps = leftOut.length === 0 ? [] : ['left_out_beforehand'];
  const rows = items.map((change, index) => ({ change, end: ends[index] }));
  return buildSheet({ list: 'bulk', asOf, about, gaps }, COLUMNS, rows);
}

const COLUMNS: Column<Row>[] = [
  { name: 'outcome', type: 'text', read: ({ end }) => end?.kind },
  { name: 'reason', type: 'text', read: ({ end }) => end?.reason },
  { name: 'service_said', type: 'text', read: ({ end }) => end?.sentence },
  { name: 'changed_by', type: 'text', read: ({ end }) => end?.by },
  { name: 'kind', type: 'text', read: ({ change }) => change.kind },
  { name: 'name', type: 'text', read: ({ change }) => kindOf(change).toPlainName(change) },
  { name: 'environment_id', type: 'text', read: ({ change }) => toSubject(change).environmentId },
  { name: 'agent_resource_id', type: 'text', read: ({ change }) => toLimit(change)?.agentResourceId },
  { name: 'currency', type: 'text', read: ({ change }) => toLimit(change)?.currencyType },
  {
    name: 'changes',
    type: 'text',
    read: ({ change }) =>
      change.plan.rows
        .filter(({ isChanged }) => isChanged)
        .map(({ label, before, after }) => `${label}: ${before} → ${after}`)
        .join('; '),
  },
];

function toSubject(change: PlannedChange) {
  return kindOf(change).toSubject(change.plan);
}

function toLimit(change: PlannedChange) {
  const subject = toSubject(change);
  return subject.kind === 'agent_limit' ? subject : undefined;
}
