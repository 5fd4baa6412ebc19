// The audit log: what admins did, as a hash chain. Each entry holds the hash of the one before it, so that changing, removing
// or moving one would change all that follow.
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../canonical-json.ts';
import { type AuditKey, seal } from './audit-key.ts';

/** Stored: never rename. */
export type AuditAction =
  | 'plan_confirmed' // by an administrator, or by the second one who approved it
  | 'policy_set' // one entry of the policy, by an edit of a plan
  | 'item_ended' // one item of a plan, and what the service holds of it
  | 'approval_requested'
  | 'approval_rejected'
  | 'policy_imported' // the document that the edits of a plan came from
  | 'review_run'
  | 'sign_ins_ended'
  | LogAction;

/** What the log says about itself: see below. Stored: never rename. */
type LogAction = 'entries_forgotten' | 'sealing_begun';

type AuditOutcome = {
  /** `begun`: a later entry says how it ended; without one, it was interrupted. `left`: not tried. */
  kind: 'begun' | 'done' | 'refused' | 'verified' | 'sent_not_shown' | 'conflict' | 'failed' | 'left';
  /** For an item: whether the service has what was sent. */
  written?: 'yes' | 'no' | 'perhaps' | undefined;
  /** A stable code. */
  reason?: string | undefined;
  /** For an item: what the service showed instead. */
  found?: unknown;
  /** For a rejection: why, in the approver's own words. For an item: the service's words. */
  said?: string | undefined;
};

/** Ids as the service and Slack have them. */
type AuditSubject = {
  environmentId?: string | undefined;
  /** The agent's id in the inventory. */
  agentId?: string | undefined;
  currency?: string | undefined;
  /** A channel of Slack, or `*` for all. `workspace`: the team that installed the app there. */
  channel?: string | undefined;
  workspace?: string | undefined;
  className?: string | undefined;
  /** Joins the entries of one plan. */
  planId?: string | undefined;
};

/**
 * Slack user ids, and the accounts of the directory that these people were signed in with, if they are known: see
 * AccountLink. `approver`: the second admin, if one was needed. A `user` of no team is a program: `operator` is a script
 * that an operator ran.
 */
type AuditPeople = {
  user?: string | undefined;
  account?: string | undefined;
  approver?: string | undefined;
  approverAccount?: string | undefined;
};

/** Without names and tokens: ids, figures, and the reason that the admin gave. */
export type AuditEntry = {
  schema: 1;
  /** Epoch ms. */
  at: number;
  what: AuditAction;
  /** Empty for what the app does by itself. */
  who: AuditPeople;
  /** The enterprise id if there is one, else the team id. `workspace`: the installing team. */
  team: string;
  workspace: string;
  subject: AuditSubject;
  /** The revision of the policy. */
  policy?: number | undefined;
  /** Complete plain values, before the change and as intended. */
  before?: unknown;
  after?: unknown;
  /** In the admin's own words. */
  reason?: string | undefined;
  outcome: AuditOutcome;
  /** The ids that the service gave our requests. */
  requestIds: readonly string[];
};

/** An entry in its place. `hash` is over all the rest, `previousHash` and `seal` included. */
export type LinkedEntry = AuditEntry & {
  seq: number;
  previousHash: string;
  /** The sequence number after which the log began when this was written. */
  origin?: number;
  /** Made with AUDIT_KEY over everything except itself and `hash`. */
  seal?: string;
  hash: string;
};

/** A place in the chain, and the hash of the entry there. Before the first entry: see CHAIN_BEGIN. */
export type AuditHead = { seq: number; hash: string };

/** The store's own note of the last entry, with a seal if AUDIT_KEY is set. */
export type StoredHead = AuditHead & { seal?: string | undefined };

/** Where the log begins (the place before its first entry) and where it ends. */
export type AuditEnds = { origin: AuditHead; head: StoredHead };

/** What may be read while the app runs. */
export type AuditReader = {
  /** The latest first; with `before` those of a smaller `seq`. */
  list(options: { limit: number; before?: number | undefined }): Promise<LinkedEntry[]>;
  /** The place of the last entry, as stored together with that entry. */
  head(): Promise<StoredHead>;
  /** The place before the first entry that is kept. */
  origin(): Promise<AuditHead>;
  /** In order, page by page. Throws a SyntaxError if an entry is none any more. */
  all(): AsyncIterable<LinkedEntry>;
};

/** Port: the audit log. Entries are added and, past their time, forgotten; nothing changes one. */
export type AuditStore = AuditReader & {
  /** Call it once, before the first entry of this process: begins sealing, which the log records. */
  start(): Promise<void>;
  /** Links the entry to the last one. Throws StoreUnavailableError, also if the log is sealed with a key we lack. */
  append(entry: AuditEntry): Promise<LinkedEntry>;
  /**
   * Removes entries from the beginning that were made before `before`, and adds one that says so. Returns how many were
   * removed: none if the log is not whole, because removing entries would hide that.
   */
  forget(before: number): Promise<number>;
};

/** The place before the very first entry. */
export const CHAIN_BEGIN: AuditHead = { seq: 0, hash: '0'.repeat(64) };

/** The entry in its place after `head`, as JSON would keep it. */
export function linkEntry(
  entry: AuditEntry,
  head: AuditHead,
  { origin, key }: { origin?: number; key?: AuditKey | undefined } = {},
): LinkedEntry {
  const plain: AuditEntry = JSON.parse(JSON.stringify(entry));
  const content = { ...plain, seq: head.seq + 1, previousHash: head.hash, ...(origin === undefined ? {} : { origin }) };
  const placed = key ? { ...content, seal: seal({ entry: content }, key) } : content;
  return { ...placed, hash: hashEntry(placed) };
}

/** The hash of an entry that has none yet. */
export function hashEntry(placed: Omit<LinkedEntry, 'hash'>): string {
  return createHash('sha256').update(toCanonicalJson(placed)).digest('hex');
}

/** Throws a SyntaxError if it is no entry: somebody may have written anything there. */
export function parseEntry(value: unknown): LinkedEntry {
  const entry = (typeof value === 'object' ? value : null) as LinkedEntry | null;
  if (entry === null || typeof (entry.seal ?? '') !== 'string') throw new SyntaxError('this is no entry');
  return entry;
}

/** One entry as a line of JSON, with its line end: a file of these can be verified, too. */
export function toAuditLine(entry: LinkedEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

// Entries about the log itself: which entries were removed, and where sealing begins.

/** Why a log does not begin with its first entry. */
export type OriginEntry = {
  /** The last entry that is gone. */
  upTo: AuditHead;
  /** The entry that says so: its place, and when it was made (epoch ms). */
  seq: number;
  at: number;
};

/** Says that entries through `upTo` were removed, because they were made before `before` (epoch ms). */
export function toForgottenEntry(upTo: AuditHead, before: number, at: number): AuditEntry {
  return toLogEntry('entries_forgotten', at, { upTo, madeBefore: new Date(before).toISOString() });
}

/** The end of the log when sealing began: without a valid seal, with the seal of an older key, or of a key we lack. */
export type FoundEnd = 'unsealed' | 'older_key' | 'unknown_key';

/** Says that entries are sealed with this key from here on. */
export function toSealingEntry(keyId: string, found: FoundEnd, at: number): AuditEntry {
  return toLogEntry('sealing_begun', at, { key: keyId, found });
}

/** For an entry that begins sealing; undefined for any other. */
export function readFoundEnd({ what, after }: Pick<AuditEntry, 'what' | 'after'>): unknown {
  return what === 'sealing_begun' ? (after as { found?: unknown } | undefined)?.found : undefined;
}

function toLogEntry(what: LogAction, at: number, after: object): AuditEntry {
  const outcome = { kind: 'done' } as const;
  return { schema: 1, at, what, who: {}, team: '', workspace: '', subject: {}, after, outcome, requestIds: [] };
}

/** Undefined for entries that say nothing of the origin, or nothing that can be read. */
export function readOriginEntry({ what, after, seq, at }: LinkedEntry): OriginEntry | undefined {
  if (what !== 'entries_forgotten') return undefined;
  const { upTo } = (after ?? {}) as { upTo?: Partial<AuditHead> };
  if (typeof upTo?.seq !== 'number' || typeof upTo.hash !== 'string') return undefined;
  return { upTo: { seq: upTo.seq, hash: upTo.hash }, seq, at };
}
