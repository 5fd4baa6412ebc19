// Whether a chain of entries is as it was written: by hashes alone, or with AUDIT_KEY by seals as well.
import { type AuditKey, isSealedBy, readKeyId } from './audit-key.ts';
import {
  type AuditHead,
  type AuditReader,
  hashEntry,
  type LinkedEntry,
  type OriginEntry,
  readFoundEnd,
  readOriginEntry,
  type StoredHead,
} from './audit-log.ts';

export type ChainVerdict =
  | ({ ok: true; head: AuditHead; entries: number } & ChainFacts)
  /** `seq`: the first place where the chain is not as it was written. */
  | { ok: false; seq: number; problem: ChainProblem };

export type ChainFacts = {
  /** The entry that says why the chain does not begin with the first entry. */
  origin?: OriginEntry | undefined;
  /** The first entry that is sealed with one of the keys: from there on all are. */
  sealedFrom?: { seq: number; at: number } | undefined;
  /** The key of the last entry, as an index in the keys. */
  lastKey?: number | undefined;
  /** Whether entries carry seals, known or not. */
  hasSeals?: true | undefined;
};

export type ChainProblem =
  | 'changed' // the entry is not the one that its hash is of
  | 'unreadable'
  | 'missing' // a gap, or a wrong order
  | 'not_linked' // it names another entry as the one before it: that one was changed, or this one inserted
  | 'tail_missing' // a noted head is past the end
  | 'other_than_noted' // not the noted head: everything from there on was rewritten
  | 'origin_unexplained' // entries before this one are gone, and no entry says why
  | 'head_before_origin' // a noted head is of a removed entry, and nothing proves that it was old enough to be removed
  | 'not_sealed' // it has no seal or one of an older key, although an entry before it has a newer one
  | 'wrong_seal'
  | 'end_lost' // the app found the end of a sealed log without its seal when it added this entry
  | 'end_not_sealed'; // the note of the last entry has no seal of the newest key

export type ChainOptions = {
  origin: AuditHead;
  /** Earlier heads: the store's own, and those in logs. Without them a missing end does not show. */
  noted: readonly AuditHead[];
  /** The newest first. Without any, seals are not looked at. */
  keys?: readonly AuditKey[] | undefined;
  /** The latest entries of a longer chain: where they begin needs no explanation. */
  isPart?: boolean;
};

/** How far the chain was read, and what was found so far. */
type Progress = ChainFacts & {
  head: AuditHead;
  keyId?: string | undefined;
  /** The index of the last entry's key; Infinity for none, and for one that is not among the keys. */
  level: number;
  /** The origin of the last entry that has one. */
  stated?: number | undefined;
  isOriginSealed?: boolean;
};

/** Reads the whole chain from `origin` on. */
export async function verifyChain(
  entries: AsyncIterable<LinkedEntry> | Iterable<LinkedEntry>,
  options: ChainOptions,
): Promise<ChainVerdict> {
  const { origin } = options;
  let progress: Progress = { head: origin, level: Number.POSITIVE_INFINITY };
  try {
    for await (const entry of entries) {
      const problem = findProblem(entry, progress, options);
      if (problem) return { ok: false, seq: progress.head.seq + 1, problem };
      progress = advance(entry, progress, options);
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, seq: progress.head.seq + 1, problem: 'unreadable' };
  }
  return judge(progress, options);
}

function findProblem(
  entry: LinkedEntry,
  progress: Progress,
  { noted, keys = [] }: ChainOptions,
): ChainProblem | undefined {
  const { head } = progress;
  const { hash, ...placed } = entry;
  if (entry.seq !== head.seq + 1) return 'missing';
  if (hashEntry(placed) !== hash) return 'changed';
  if (entry.previousHash !== head.hash) return 'not_linked';
  if (noted.some((one) => one.seq === entry.seq && one.hash !== hash)) return 'other_than_noted';
  return findSealProblem(placed, progress, keys) ?? findOriginProblem(entry, progress);
}

/** Entries without a seal, or with one of a key that we lack, are accepted until the first that we can check. */
function findSealProblem(
  { seal, ...content }: Omit<LinkedEntry, 'hash'>,
  { level, keyId }: Progress,
  keys: readonly AuditKey[],
): ChainProblem | undefined {
  const id = readKeyId(seal);
  const current = toLevel(id, keys);
  if (current > level) return 'not_sealed';
  const key = keys[current];
  if (key && !isSealedBy(key, seal, { entry: content })) return 'wrong_seal';
  const isSuspect = id === keyId || readFoundEnd(content) === 'unsealed';
  return content.what === 'sealing_begun' && keyId !== undefined && isSuspect ? 'end_lost' : undefined;
}

/** Only an entry that says so moves the origin. */
function findOriginProblem(entry: LinkedEntry, { stated }: Progress): ChainProblem | undefined {
  const hasMoved = stated !== undefined && entry.origin !== undefined && entry.origin !== stated;
  return hasMoved && entry.what !== 'entries_forgotten' ? 'origin_unexplained' : undefined;
}

function advance(entry: LinkedEntry, before: Progress, { origin, keys = [] }: ChainOptions): Progress {
  const { seq, hash, at } = entry;
  const keyId = readKeyId(entry.seal);
  const level = toLevel(keyId, keys);
  const isSealed = Number.isFinite(level);
  const read = readOriginEntry(entry);
  const explains = read?.upTo.seq === origin.seq && read.upTo.hash === origin.hash;
  return {
    ...before,
    ...(explains ? { origin: read, isOriginSealed: isSealed } : {}),
    head: { seq, hash },
    keyId,
    level,
    stated: entry.origin ?? before.stated,
    sealedFrom: before.sealedFrom ?? (isSealed ? { seq, at } : undefined),
    hasSeals: before.hasSeals ?? (keyId === undefined ? undefined : true),
  };
}

function toLevel(keyId: string | undefined, keys: readonly AuditKey[]): number {
  const index = keys.findIndex(({ id }) => id === keyId);
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}

function judge(progress: Progress, { origin: begin, noted, isPart = false }: ChainOptions): ChainVerdict {
  const { head, origin, sealedFrom, hasSeals, level, isOriginSealed } = progress;
  if (noted.some(({ seq }) => seq > head.seq)) return { ok: false, seq: head.seq + 1, problem: 'tail_missing' };
  if (begin.seq > 0 && origin === undefined && !isPart)
    return { ok: false, seq: begin.seq + 1, problem: 'origin_unexplained' };
  if (noted.some(({ seq, hash }) => seq === begin.seq && hash !== begin.hash)) {
    return { ok: false, seq: begin.seq, problem: 'other_than_noted' };
  }
  // Whoever can write to the store can write such an entry, but cannot seal it.
  const early = noted.find(({ seq }) => seq > 0 && seq <= begin.seq);
  if (early && !isOriginSealed && !isPart) return { ok: false, seq: early.seq, problem: 'head_before_origin' };
  const lastKey = Number.isFinite(level) ? level : undefined;
  return { ok: true, head, entries: head.seq - begin.seq, origin, sealedFrom, lastKey, hasSeals };
}

type VerifyOptions = {
  /** Heads that somebody kept elsewhere. */
  kept?: readonly AuditHead[];
  /** The newest first. Without any, only the chain is checked. */
  keys?: readonly AuditKey[] | undefined;
};

/**
 * Checks the chain against the stored head, the heads that somebody kept, and the keys. Without `head`, as for an exported
 * file, only a kept head says where the chain should end.
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

/** If the end has no seal, anybody could have moved it back, or written the whole log without seals. */
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
 * A quick check of the latest entries only: their hashes and seals, the stored head, and whether the log begins where the
 * last entry says. Earlier entries are not checked.
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
