// The audit log: what admins did, as a hash chain. Each entry holds the hash of the one before it, so that changing, removing
// or moving one would change all that follow.
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../shell/canonical-json.ts';
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
  /** `begun`: another entry about the same says how it ended; if there is none, it broke off. `left`: not tried. */
  kind: 'begun' | 'done' | 'refused' | 'verified' | 'sent_not_shown' | 'conflict' | 'failed' | 'left';
  /** Of an item: what the service may hold of it. */
  written?: 'yes' | 'no' | 'perhaps' | undefined;
  /** A stable code. */
  reason?: string | undefined;
  /** What was there instead, where that was the conflict. */
  found?: unknown;
  /** Of what an approver rejected: why, in their own words. Of an item: the service's. */
  said?: string | undefined;
};

/** Ids as the service and Slack have them. */
type AuditSubject = {
  environmentId?: string | undefined;
  /** Its id in the inventory. */
  agentId?: string | undefined;
  currency?: string | undefined;
  /** A channel of Slack; `*`: all of them. `workspace`: of the installation that it is of. */
  channel?: string | undefined;
  workspace?: string | undefined;
  className?: string | undefined;
  /** Joins the entries of one plan. */
  planId?: string | undefined;
};

/**
 * Slack user ids, and the accounts of the directory that these people were signed in with, where they are known: see
 * AccountLink. `approver`: the second admin, where one was needed. A `user` of no team is a program: `operator` is a script
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
  /** None for what runs by itself. */
  who: AuditPeople;
  /** The enterprise id where there is one, else the team id; `workspace` is the installing team. */
  team: string;
  workspace: string;
  subject: AuditSubject;
  /** The revision of the policy. */
  policy?: number | undefined;
  /** Plain values, complete: as it was, and as it was to be. */
  before?: unknown;
  after?: unknown;
  /** In the admin's own words. */
  reason?: string | undefined;
  outcome: AuditOutcome;
  /** As the service gave them to our requests. */
  requestIds: readonly string[];
};

/** An entry in its place. `hash` is over all the rest, `previousHash` and `seal` included. */
export type LinkedEntry = AuditEntry & {
  seq: number;
  previousHash: string;
  /** The sequence number after which the log began when this was written. */
  origin?: number;
  /** Over all but itself and `hash`, made with AUDIT_KEY. */
  seal?: string;
  hash: string;
};

/** A place in the chain, and the hash of the entry there. Before the first entry: see CHAIN_BEGIN. */
export type AuditHead = { seq: number; hash: string };

/** The store's own note of the last entry, with a seal where AUDIT_KEY is set. */
export type StoredHead = AuditHead & { seal?: string | undefined };

/** Where the log begins (the place before its first entry) and where it ends. */
export type AuditEnds = { origin: AuditHead; head: StoredHead };

/** What may be looked at beside a running app. */
export type AuditReader = {
  /** The latest first; with `before` those of a smaller `seq`. */
  list(options: { limit: number; before?: number | undefined }): Promise<LinkedEntry[]>;
  /** The last entry's place, as it was noted when that was added. */
  head(): Promise<StoredHead>;
  /** The place before the first entry that is kept. */
  origin(): Promise<AuditHead>;
  /** In order, page by page. Throws a SyntaxError where an entry is no JSON any more. */
  all(): AsyncIterable<LinkedEntry>;
};

/** Port: the audit log. Entries are added and, past their time, forgotten; nothing changes one. */
export type AuditStore = AuditReader & {
  /** Once, before the first entry of this process: notes in the log itself what is to be known about it. */
  start(): Promise<void>;
  /** Links the entry to the last one. Throws StoreUnavailableError, also where the log is sealed with a key we lack. */
  append(entry: AuditEntry): Promise<LinkedEntry>;
  /**
   * Removes entries from the beginning, up to the first that was made at `before` or later, and adds one that says so.
   * Returns how many went: none where the log is not whole, because it would hide that.
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

/** Of an entry without its hash. */
export function hashEntry(placed: Omit<LinkedEntry, 'hash'>): string {
  return createHash('sha256').update(toCanonicalJson(placed)).digest('hex');
}

/** One entry as a line of JSON, with its line end: a file of these can be verified, too. */
export function toAuditLine(entry: LinkedEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

// What the log says about itself, as entries of their own: how far it was forgotten, and from where on it is sealed.

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
  return toLogEntry('entries_forgotten', at, { upTo, madeBefore: new Date(before).toISOString() });
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

/** Undefined for entries that say nothing of the origin, or nothing that can be read. */
export function readOriginEntry({ what, after, seq, at }: LinkedEntry): OriginEntry | undefined {
  if (what !== 'entries_forgotten') return undefined;
  const { upTo } = (after ?? {}) as { upTo?: Partial<AuditHead> };
  if (typeof upTo?.seq !== 'number' || typeof upTo.hash !== 'string') return undefined;
  return { upTo: { seq: upTo.seq, hash: upTo.hash }, seq, at };
}
