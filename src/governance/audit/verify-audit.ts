import { type AuditKey, isSealedBy } from './audit-key.ts';
import type { AuditHead, AuditReader, StoredHead } from './audit-log.ts';
import { type ChainVerdict, verifyChain } from './verify-chain.ts';

type VerifyOptions = {
  /** Heads that somebody kept elsewhere. */
  kept?: readonly AuditHead[];
  /** The newest first. Without any, only the chain is checked. */
  keys?: readonly AuditKey[] | undefined;
};

/**
 * Holds the chain against the store's own note of its end, the heads that somebody kept, and the keys. Without `head`, in
 * an exported file, nothing but a kept head says where it should end.
 */
export async function verifyAudit(
  audit: Pick<AuditReader, 'origin' | 'all'> & Partial<Pick<AuditReader, 'head'>>,
  { kept = [], keys = [] }: VerifyOptions = {},
): Promise<ChainVerdict> {
  for (;;) {
    // In this order: an app that runs may add entries meanwhile.
    const head = await audit.head?.();
    const origin = await audit.origin();
    const verdict = await verifyChain(audit.all(), { origin, noted: [...kept, ...(head ? [head] : [])], keys });
    if (verdict.ok) return keys.length === 0 ? verdict : checkEnd(verdict, head, keys);
    const isAsRead = (await audit.origin()).seq === origin.seq;
    if (isAsRead) return verdict;
  }
}

/** Without its seal anybody could have moved the end back, or have written all of it without seals. */
function checkEnd(
  verdict: ChainVerdict & { ok: true },
  head: StoredHead | undefined,
  keys: readonly AuditKey[],
): ChainVerdict {
  const isSealed = head ? verdict.lastKey === 0 && isEndSealed(head, keys.slice(0, 1)) : verdict.lastKey !== undefined;
  return isSealed ? verdict : { ok: false, seq: verdict.head.seq, problem: 'end_not_sealed' };
}

/** Whether the note of the end was sealed with one of the keys. */
export function isEndSealed({ seq, hash, seal }: StoredHead, keys: readonly AuditKey[]): boolean {
  return keys.some((key) => isSealedBy(key, seal, { head: { seq, hash } }));
}

/**
 * The latest entries alone, for a quick look: their hashes and seals, the note of the end, and whether the log begins where
 * the last entry says. Nothing of what is before them.
 */
export async function verifyNewest(
  audit: Pick<AuditReader, 'head' | 'origin' | 'list'>,
  { limit, keys }: { limit: number; keys: readonly AuditKey[] },
): Promise<ChainVerdict> {
  const head = await audit.head();
  const origin = await audit.origin();
  const newest = (await audit.list({ limit, before: head.seq + 1 })).reverse();
  const [first] = newest;
  const before = first ? { seq: first.seq - 1, hash: first.previousHash } : origin;
  const verdict = await verifyChain(newest, { origin: before, noted: [head], keys, isPart: true });
  if (!verdict.ok) return verdict;
  const last = newest.at(-1);
  // The entry that says what was forgotten stays: there is always one.
  const isExplained = last ? (last.origin ?? origin.seq) === origin.seq : origin.seq === 0;
  if (!isExplained) return { ok: false, seq: origin.seq + 1, problem: 'origin_unexplained' };
  return keys.length === 0 ? verdict : checkEnd(verdict, head, keys);
}
