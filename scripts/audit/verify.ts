import { UserError } from '../../src/errors.ts';
import {
  type AuditHead,
  type AuditReader,
  type ChainProblem,
  verifyChain,
} from '../../src/governance/audit/audit-log.ts';

/** Reads the chain, and holds it against the store's own note of its end and the heads that somebody kept. */
export async function verify(
  audit: Pick<AuditReader, 'head' | 'origin' | 'all'>,
  kept: readonly AuditHead[],
): Promise<{ sentence: string; isWhole: boolean }> {
  // In this order: an app that runs may add entries meanwhile.
  const noted = [...kept, await audit.head()];
  const origin = await audit.origin();
  const verdict = await verifyChain(audit.all(), { origin, noted });
  if (!verdict.ok) {
    const where = `The audit log is broken at entry ${verdict.seq}: ${PROBLEMS[verdict.problem]}`;
    return { sentence: `${where} Keep a copy of the store, and find out who could write to it.`, isWhole: false };
  }
  const { head, entries } = verdict;
  if (head.seq === 0) return { sentence: 'The audit log is empty.', isWhole: true };
  const older = origin.seq > 0 ? ` Those up to ${origin.seq} are past their time, and gone.` : '';
  const past = kept.some(({ seq }) => seq < origin.seq) ? ' A head that you named is of one of these.' : '';
  const sentence = `The audit log is whole: ${entries} entries, the last is ${head.seq}:${head.hash}.${older}${past}`;
  return { sentence, isWhole: true };
}

const PROBLEMS: Record<ChainProblem, string> = {
  changed: 'it is not as it was written.',
  unreadable: 'it cannot be read any more.',
  missing: 'another entry is in its place, or none.',
  not_linked: 'it does not follow the one before it.',
  tail_missing: 'from there on entries are missing that were written.',
  other_than_noted: 'it is another entry than the one that was noted.',
};

/** `<seq>:<hash>`, as the app logs it. Throws a UserError with a sentence. */
export function parseHead(text: string): AuditHead {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined) {
    const sentence = `"${text}" is no head: write its number and its hash, as in 42:0123… with 64 digits.`;
    throw new UserError('no_audit_head', sentence);
  }
  return { seq: Number(seq), hash };
}
