// Each entry holds the hash of the one before it: who changes, removes or moves one has to change all that follow.
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../canonical-json.ts';
import type { AuditEntry, LinkedEntry } from './audit-entry.ts';
import type { AuditHead } from './audit-store.ts';

/** The place before the first entry of all. */
export const CHAIN_BEGIN: AuditHead = { seq: 0, hash: '0'.repeat(64) };

/** The entry in its place after `head`. What JSON does not hold is not part of it. */
export function linkEntry(entry: AuditEntry, head: AuditHead): LinkedEntry {
  const plain: AuditEntry = JSON.parse(JSON.stringify(entry));
  const placed = { ...plain, seq: head.seq + 1, previousHash: head.hash };
  return { ...placed, hash: hashEntry(placed) };
}

export type ChainVerdict =
  | { ok: true; head: AuditHead; entries: number }
  /** `seq`: the first place where it is not as it was written. */
  | { ok: false; seq: number; problem: ChainProblem };

export type ChainProblem =
  | 'changed' // the entry is not the one that its hash is of
  | 'unreadable'
  | 'missing' // there is a gap, or an order that is none
  | 'not_linked' // it names another entry as the one before it: that one was changed, or this one put in
  | 'tail_missing' // a head that was noted is past the end
  | 'other_than_noted'; // another entry than the head that was noted: all from there on was written anew

/**
 * Reads the whole chain from `origin` on. `noted` are heads that were told of before: the store's own, and those of logs.
 * Without them nobody would see that the end is cut off; those before `origin` are past checking.
 */
export async function verifyChain(
  entries: AsyncIterable<LinkedEntry> | Iterable<LinkedEntry>,
  { origin, noted }: { origin: AuditHead; noted: readonly AuditHead[] },
): Promise<ChainVerdict> {
  let head = origin;
  try {
    for await (const entry of entries) {
      const problem = findProblem(entry, head, noted);
      if (problem) return { ok: false, seq: head.seq + 1, problem };
      head = { seq: entry.seq, hash: entry.hash };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, seq: head.seq + 1, problem: 'unreadable' };
  }
  const isCut = noted.some(({ seq }) => seq > head.seq);
  if (isCut) return { ok: false, seq: head.seq + 1, problem: 'tail_missing' };
  return { ok: true, head, entries: head.seq - origin.seq };
}

function findProblem(entry: LinkedEntry, head: AuditHead, noted: readonly AuditHead[]): ChainProblem | undefined {
  const { hash, ...placed } = entry;
  if (entry.seq !== head.seq + 1) return 'missing';
  if (hashEntry(placed) !== hash) return 'changed';
  if (entry.previousHash !== head.hash) return 'not_linked';
  const isNoted = noted.every((one) => one.seq !== entry.seq || one.hash === hash);
  return isNoted ? undefined : 'other_than_noted';
}

function hashEntry(placed: Omit<LinkedEntry, 'hash'>): string {
  return createHash('sha256').update(toCanonicalJson(placed)).digest('hex');
}
