// A bulk change that a second admin has to approve: what they are shown, and what their approval begins.
import { createHash } from 'node:crypto';
import type { Log } from '../../log.ts';
import type { PlannedChange } from '../changes/change-kind.ts';
import type { PlannedBulk } from '../confirmation/pending-change.ts';
import { type BulkApprovals, NotAsShownError } from '../confirmation/slack-approved-change.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';
import { describeForApprover } from './bulk-preview-views.ts';
import { type BulkRecordPorts, createBulkRecords } from './bulk-records.ts';

/** `loosening`: those of `changes` that need the approval; one at least. */
export function toPlannedBulk(changes: readonly PlannedChange[], loosening: readonly PlannedChange[]): PlannedBulk {
  const [first] = loosening;
  if (first === undefined) throw new Error('nothing of it needs an approval');
  const lines = describeForApprover(changes, loosening);
  return { kind: 'bulk', total: changes.length, lines, digest: toDigest(changes), first };
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

function toDigest(changes: readonly PlannedChange[]): string {
  return createHash('sha256').update(toCanonicalJson(changes)).digest('base64url');
}
