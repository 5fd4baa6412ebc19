// A bulk change that a second admin has to approve: what they are shown, and what their approval begins.
import { createHash } from 'node:crypto';
import type { Log } from '../../log.ts';
import type { PlannedBulk } from '../confirmation/pending-change.ts';
import { type BulkApprovals, NotAsShownError } from '../confirmation/slack-approved-change.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
import { type BulkItem, isClassification } from './bulk-item.ts';
import { describeForApprover } from './bulk-preview-views.ts';
import { type BulkChange, type BulkRecordPorts, createBulkRecords } from './bulk-records.ts';

/** `loosening`: those of `items` that need the approval; one at least. */
export function toPlannedBulk(
  { shown }: Pick<BulkChange, 'shown'>,
  items: readonly BulkItem[],
  loosening: readonly BulkItem[],
): PlannedBulk {
  const [first] = loosening;
  if (first === undefined) throw new Error('nothing of it needs an approval');
  const planned = { kind: 'bulk' as const, total: items.length, digest: toDigest(items) };
  if (isClassification(first)) {
    const { kind, environmentId } = first;
    return { ...planned, lines: shown ?? [], first: { kind, environmentId } };
  }
  const [changes, loose] = [items, loosening].map((some) => some.filter((item) => !isClassification(item)));
  return { ...planned, lines: describeForApprover(changes ?? [], loose ?? []), first };
}

export function createBulkApprovals(ports: BulkRecordPorts & { wakeBulk(): void; log: Log }): BulkApprovals {
  const records = createBulkRecords(ports);
  return {
    isBegun: async (id) => (await records.get(id))?.confirmed !== undefined,
    async begin({ id, by, account, reason, planned }, { caller, account: approverAccount }) {
      const bulk = await records.get(id);
      if (bulk === undefined || toDigest(await records.readItems(bulk)) !== planned.digest) throw new NotAsShownError();
      const outcome = await records.confirm(id, reason, { by: caller, approverAccount, account });
      ports.wakeBulk();
      if (typeof outcome === 'string') return;
      const { team, user } = by;
      ports.log.info({ team, user, approver: caller.user, bulk: id, total: planned.total }, 'bulk change confirmed');
    },
  };
}

function toDigest(items: readonly BulkItem[]): string {
  return createHash('sha256').update(toCanonicalJson(items)).digest('base64url');
}
