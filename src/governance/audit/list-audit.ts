// What `/assistant-admin audit` shows: one row for each thing that was done, the latest first.
import type { ChangeStore } from '../changes/change.ts';
import type { OverlayStore } from '../register/overlay-store.ts';
import type { LinkedEntry } from './audit-entry.ts';
import type { AuditStore } from './audit-store.ts';
import { isDecisionEntry, isEndedAfter, isEndOf } from './decision-entries.ts';

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

export type AuditListPorts = {
  audit: Pick<AuditStore, 'list'>;
  changes: Pick<ChangeStore, 'get'>;
  /** What became of decisions is known by their records. */
  overlay: Pick<OverlayStore, 'list'>;
};

export type AuditListOptions = {
  limit: number;
  before?: number | undefined;
  /** What it is searched by. */
  matches?: ((entry: LinkedEntry) => boolean) | undefined;
};

const CHUNK = 100;

/** Of one page that is searched for: what one waits for, and no more work than a few pages of a database. */
const MAX_SEARCHED = 5_000;

/** A change, or a decision, is one row, of its end. Its begin is one only while it has not ended. */
export async function listAudit(
  { limit, before, matches = () => true }: AuditListOptions,
  { audit, changes, overlay }: AuditListPorts,
): Promise<AuditPage> {
  const rows: AuditRow[] = [];
  const settling: Settling = { audit, changes, ends: [], recorded: onlyOnce(() => listRecorded(overlay)) };
  let last = before;
  for (let searched = CHUNK; ; searched += CHUNK) {
    const entries = await audit.list({ limit: CHUNK, before: last });
    settling.ends.push(...entries.filter((entry) => isDecisionEntry(entry) && entry.outcome.kind !== 'begun'));
    const found = await Promise.all(entries.filter(matches).map((entry) => toRow(entry, settling)));
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

type Settling = Pick<AuditListPorts, 'audit' | 'changes'> & {
  /** Of decisions, as far as they were listed. */
  ends: LinkedEntry[];
  /** The ids of all decisions that are recorded. */
  recorded(): Promise<Set<string>>;
};

async function toRow(entry: LinkedEntry, settling: Settling): Promise<AuditRow | undefined> {
  if (entry.outcome.kind !== 'begun') return { entry, isOpen: false };
  const { changeId } = entry.subject;
  if (changeId !== undefined && isDecisionEntry(entry)) return toDecisionRow(entry, changeId, settling);
  const change = changeId === undefined ? undefined : await settling.changes.get(changeId);
  return change?.outcome === undefined ? { entry, isOpen: true } : undefined;
}

async function toDecisionRow(
  entry: LinkedEntry,
  id: string,
  { audit, ends, recorded }: Settling,
): Promise<AuditRow | undefined> {
  // On a page that begins between the two, the end is on the page before.
  if (ends.some((one) => isEndOf(one, entry)) || (await isEndedAfter(entry, audit))) return undefined;
  if (!(await recorded()).has(id)) return { entry, isOpen: true };
  // It broke off after it was recorded: it counts.
  return { entry: { ...entry, outcome: { kind: 'done' } }, isOpen: false };
}

async function listRecorded(overlay: AuditListPorts['overlay']): Promise<Set<string>> {
  return new Set((await overlay.list()).map(({ id }) => id));
}

function onlyOnce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
