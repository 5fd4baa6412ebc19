// What the log says about itself, as entries of their own: how far it was forgotten, and from where on it is sealed.
import type { AuditEntry, AuditHead, LinkedEntry, LogAction } from './audit-log.ts';

/** Why a log does not begin with its first entry. */
export type OriginEntry = {
  /** The last entry that is gone. */
  upTo: AuditHead;
  /** The entry that says so: its place, and when it was made (epoch ms). */
  seq: number;
  at: number;
};

/** Entries up to this one went, because they were made before that time (epoch ms). */
export function toForgottenEntry(upTo: AuditHead, before: number, at: number): AuditEntry {
  return toLogEntry('entries_forgotten', at, { upTo: toPlace(upTo), madeBefore: new Date(before).toISOString() });
}

/** How the end was found where sealing began: without a valid seal, with one of an older key, or of a key we lack. */
export type FoundEnd = 'unsealed' | 'older_key' | 'unknown_key';

/** From here on entries are sealed with this key. */
export function toSealingEntry(keyId: string, found: FoundEnd, at: number): AuditEntry {
  return toLogEntry('sealing_begun', at, { key: keyId, found });
}

/** Of an entry that begins sealing; undefined for any other. */
export function readFoundEnd({ what, after }: Pick<AuditEntry, 'what' | 'after'>): unknown {
  return what === 'sealing_begun' ? (after as { found?: unknown } | undefined)?.found : undefined;
}

function toLogEntry(what: LogAction, at: number, after: object): AuditEntry {
  const outcome = { kind: 'done' } as const;
  return { schema: 1, at, what, who: {}, team: '', workspace: '', subject: {}, after, outcome, requestIds: [] };
}

function toPlace({ seq, hash }: AuditHead): AuditHead {
  return { seq, hash };
}

/** Undefined for entries that say nothing of the origin, or nothing that can be read. */
export function readOriginEntry({ what, after, seq, at }: LinkedEntry): OriginEntry | undefined {
  if (what !== 'entries_forgotten') return undefined;
  const { upTo } = (after ?? {}) as { upTo?: Partial<AuditHead> };
  if (typeof upTo?.seq !== 'number' || typeof upTo.hash !== 'string') return undefined;
  return { upTo: { seq: upTo.seq, hash: upTo.hash }, seq, at };
}
