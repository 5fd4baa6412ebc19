import { open } from 'node:fs/promises';
import type { AuditKey } from '../../src/audit/audit-key.ts';
import {
  type AuditHead,
  type AuditReader,
  CHAIN_BEGIN,
  type LinkedEntry,
  type OriginEntry,
  parseEntry,
} from '../../src/audit/audit-log.ts';
import { type ChainFacts, type ChainProblem, verifyAudit } from '../../src/audit/verify-audit.ts';
import { UserError } from '../../src/errors.ts';

/** What is verified: a store, or an exported file, which has no note of its end. */
export type Verified = Pick<AuditReader, 'origin' | 'all'> & Partial<Pick<AuditReader, 'head'>>;

/** A file of JSON lines, as `export` writes it. Its first entry says where it begins; nothing says where it should end. */
export async function openExport(path: string): Promise<Verified> {
  const all = () => readEntries(path);
  const first = await readFirst(all());
  const origin = first ? { seq: first.seq - 1, hash: first.previousHash } : CHAIN_BEGIN;
  return { all, origin: async () => origin };
}

/** Undefined if there is none, or it cannot be read: verifying all entries then reports it. */
async function readFirst(entries: AsyncIterable<LinkedEntry>): Promise<LinkedEntry | undefined> {
  try {
    for await (const entry of entries) return entry;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  return undefined;
}

async function* readEntries(path: string): AsyncIterable<LinkedEntry> {
  await using file = await open(path);
  let isBegun = false;
  for await (const line of file.readLines()) {
    // Without --silent, npm writes an empty line and its command in front.
    isBegun ||= !/^(?:> .*)?$/.test(line);
    if (isBegun) yield parseEntry(JSON.parse(line));
  }
}

/** Checks the chain against the store's own note of its end, the heads that somebody kept, and the keys. */
export async function verify(
  audit: Verified,
  kept: readonly AuditHead[],
  keys: readonly AuditKey[],
): Promise<{ sentence: string; isWhole: boolean }> {
  const verdict = await verifyAudit(audit, { kept, keys });
  if (!verdict.ok) {
    const { seq, problem } = verdict;
    if (problem === 'end_not_sealed') return { sentence: END_NOT_SEALED, isWhole: false };
    return { sentence: `The audit log is broken at entry ${seq}: ${PROBLEMS[problem]}`, isWhole: false };
  }
  const { head, entries } = verdict;
  if (head.seq === 0) return { sentence: `The audit log is empty. ${CHAIN_ONLY}`, isWhole: true };
  const begin = describeOrigin(verdict.origin, kept);
  const seals = describeSeals(verdict, keys);
  const whole = `The audit log is whole: ${entries} entries, the last is ${head.seq}:${head.hash}.`;
  return { sentence: [whole, begin, seals].filter(Boolean).join(' '), isWhole: true };
}

const KEEP = 'Keep a copy of the store, and find out who could write to it.';

const END_NOT_SEALED = `The end of the audit log is not sealed with AUDIT_KEY. If the app was started with this key since, the log was emptied, cut off or written again. ${KEEP} If not, start the app with it. Without AUDIT_KEY, verify checks the chain only.`;

const PROBLEMS: Record<Exclude<ChainProblem, 'end_not_sealed'>, string> = {
  changed: `it is not as it was written. ${KEEP}`,
  unreadable: `it cannot be read any more. ${KEEP}`,
  missing: `it is missing, or another entry is in its place. ${KEEP}`,
  not_linked: `it does not follow the one before it. ${KEEP}`,
  tail_missing: `from this one on, entries are missing. ${KEEP}`,
  other_than_noted: `it is not the entry that was noted. ${KEEP}`,
  origin_unexplained: `entries before it are gone, and no entry says that they were past their time. ${KEEP}`,
  head_before_origin: `its head was named, but the log begins later, and nothing proves that the entry was past its time. If that head was logged less than three years ago, entries were cut off. ${KEEP} Otherwise name a later head.`,
  not_sealed: `entries before it are sealed with AUDIT_KEY, or with a newer key, and it is not. Somebody added it past the app, or a process of the app ran without the key. ${KEEP}`,
  wrong_seal: `its seal is not of AUDIT_KEY. ${KEEP}`,
  end_lost: `before it, the app found the end of the log without its seal: entries may have been cut off there. ${KEEP}`,
};

const CHAIN_ONLY =
  'Without AUDIT_KEY only the chain was checked: whoever can write to the store could have written all of it again.';

/** Why the log does not begin with the first entry. */
function describeOrigin(origin: OriginEntry | undefined, kept: readonly AuditHead[]): string {
  if (origin === undefined) return '';
  const { upTo, seq, at } = origin;
  const day = toDay(at);
  const named = kept.some((head) => head.seq <= upTo.seq) ? ' A head that you named is of one of these.' : '';
  return `Entries up to ${upTo.seq} were past their time and deleted by ${day}, as entry ${seq} says.${named}`;
}

function describeSeals({ sealedFrom, hasSeals }: ChainFacts, keys: readonly AuditKey[]): string {
  if (sealedFrom) {
    const { seq, at } = sealedFrom;
    return `All entries from ${seq} on, of ${toDay(at)}, are sealed with AUDIT_KEY; earlier entries are only linked.`;
  }
  if (keys.length > 0) return '';
  return hasSeals ? `${CHAIN_ONLY} Its entries are sealed: verify them with the key.` : CHAIN_ONLY;
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** `<seq>:<hash>`, as the app logs it. Throws a UserError with a sentence. */
export function parseHead(text: string): AuditHead {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined) {
    const sentence = `"${text}" is no head: write its number and its hash, as in 42:0123… with 64 digits.`;
    throw new UserError('no_audit_head', sentence);
  }
  return { seq: Number(seq), hash };
}
