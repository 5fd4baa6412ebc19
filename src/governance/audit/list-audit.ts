// What `/assistant-admin audit` shows: one row for each thing that was done, the latest first.
import type { ChangeStore } from '../change-store.ts';
import type { LinkedEntry } from './audit-entry.ts';
import type { AuditStore } from './audit-store.ts';

export type AuditRow = {
  entry: LinkedEntry;
  /** It was begun, and did not end yet: it runs, or it broke off and nobody has looked since. */
  isOpen: boolean;
};

export type AuditPage = {
  rows: AuditRow[];
  /** For the next page: `before`; undefined where there is none. */
  next: number | undefined;
  /** Set where the search was broken off: it has come to this time (epoch ms), and goes on with `next`. */
  searchedTo: number | undefined;
};

export type AuditListPorts = { audit: Pick<AuditStore, 'list'>; changes: Pick<ChangeStore, 'get'> };

export type AuditListOptions = {
  limit: number;
  before?: number | undefined;
  /** What it is searched by. */
  matches?: ((entry: LinkedEntry) => boolean) | undefined;
};

const CHUNK = 100;

/** Of one page that is searched for: what one waits for, and no more work than a few pages of a database. */
const MAX_SEARCHED = 5_000;

/** A change is one row, of its end. Its begin is one only while it has not ended. */
export async function listAudit(
  { limit, before, matches = () => true }: AuditListOptions,
  { audit, changes }: AuditListPorts,
): Promise<AuditPage> {
  const rows: AuditRow[] = [];
  let last = before;
  for (let searched = CHUNK; ; searched += CHUNK) {
    const entries = await audit.list({ limit: CHUNK, before: last });
    const found = await Promise.all(entries.filter(matches).map((entry) => toRow(entry, changes)));
    rows.push(...found.filter((row) => row !== undefined));
    // One more than is shown tells that there is a next page.
    if (rows.length > limit)
      return { rows: rows.slice(0, limit), next: rows[limit - 1]?.entry.seq, searchedTo: undefined };
    const oldest = entries.at(-1);
    if (oldest === undefined || entries.length < CHUNK) return { rows, next: undefined, searchedTo: undefined };
    last = oldest.seq;
    if (searched >= MAX_SEARCHED) return { rows, next: last, searchedTo: oldest.at };
  }
}

async function toRow(entry: LinkedEntry, changes: AuditListPorts['changes']): Promise<AuditRow | undefined> {
  if (entry.outcome.kind !== 'begun') return { entry, isOpen: false };
  const { changeId } = entry.subject;
  const change = changeId === undefined ? undefined : await changes.get(changeId);
  return change?.outcome === undefined ? { entry, isOpen: true } : undefined;
}
