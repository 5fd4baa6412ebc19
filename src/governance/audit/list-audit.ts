// What `/assistant-admin audit` shows: one row for each thing that was done, the latest first.
import type { ChangeStore } from '../change-store.ts';
import type { LinkedEntry } from './audit-entry.ts';
import type { AuditStore } from './audit-store.ts';

type AuditRow = {
  entry: LinkedEntry;
  /** It was begun, and did not end yet: it runs, or it broke off and nobody has looked since. */
  isOpen: boolean;
};

export type AuditPage = {
  rows: AuditRow[];
  /** For the next page: `before`; undefined where there is none. */
  next: number | undefined;
};

export type AuditListPorts = { audit: Pick<AuditStore, 'list'>; changes: Pick<ChangeStore, 'get'> };

/** A change is one row, of its end. Its begin is one only while it has not ended. */
export async function listAudit(
  { limit, before }: { limit: number; before?: number | undefined },
  { audit, changes }: AuditListPorts,
): Promise<AuditPage> {
  const rows: AuditRow[] = [];
  let last = before;
  for (;;) {
    // One more than is shown: it tells whether there is a next page.
    const entries = await audit.list({ limit: limit + 1, before: last });
    for (const entry of entries) {
      if (rows.length === limit) return { rows, next: last };
      const isOpen = entry.outcome.kind === 'begun' && !(await hasEnded(entry, changes));
      if (isOpen || entry.outcome.kind !== 'begun') rows.push({ entry, isOpen });
      last = entry.seq;
    }
    if (entries.length <= limit) return { rows, next: undefined };
  }
}

async function hasEnded({ subject }: LinkedEntry, changes: Pick<ChangeStore, 'get'>): Promise<boolean> {
  const change = subject.changeId === undefined ? undefined : await changes.get(subject.changeId);
  return change?.outcome !== undefined;
}
