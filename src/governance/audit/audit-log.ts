// The audit log: what admins did, as a hash chain. Each entry holds the hash of the one before it, so that changing, removing
// or moving one would change all that follow.
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../shell/values.ts';

/** Stored: never rename. */
type AuditAction =
  | 'limit_change'
  | 'allocation_change'
  | 'approval_requested'
  | 'approval_refused'
  | 'environment_classified'
  | 'limit_approved'
  | 'exception_accepted'
  | 'exception_withdrawn'
  | 'review_run';

type AuditOutcome = {
  /** `begun`: another entry of the same change says how it ended; if there is none, it broke off. */
  kind: 'begun' | 'done' | 'refused' | 'verified' | 'applied_not_verified' | 'conflict' | 'failed';
  /** Of a change: what the deployment may hold of it. */
  written?: 'yes' | 'no' | 'perhaps' | undefined;
  /** A stable code. */
  reason?: string | undefined;
  /** What was there instead, where that was the conflict. */
  found?: unknown;
};

/** Ids as the service and Slack have them. */
type AuditSubject = {
  environmentId?: string | undefined;
  agentResourceId?: string | undefined;
  /** Joins the entries of one change; the id of its record. */
  changeId?: string | undefined;
};

/** Without names and tokens: ids, figures, and the reason that the admin gave. */
export type AuditEntry = {
  schema: 1;
  /** Epoch ms. */
  at: number;
  what: AuditAction;
  /** Slack user ids; none for what runs by itself. `approver`: the second admin, where one was needed. */
  who: { user?: string | undefined; approver?: string | undefined };
  /** The enterprise id where there is one, else the team id; `workspace` is the installing team. */
  team: string;
  workspace: string;
  subject: AuditSubject;
  /** Plain values, complete: as it was, and as it was to be. */
  before?: unknown;
  after?: unknown;
  /** In the admin's own words. */
  reason?: string | undefined;
  outcome: AuditOutcome;
  /** As the service gave them to our requests. */
  requestIds: readonly string[];
};

/** An entry in its place. `hash` is over all the rest, `previousHash` included. */
export type LinkedEntry = AuditEntry & { seq: number; previousHash: string; hash: string };

/** A place in the chain, and the hash of the entry there. Before the first entry: see CHAIN_BEGIN. */
export type AuditHead = { seq: number; hash: string };

/** Port: the audit log. Entries are added and, past their time, forgotten; nothing changes one. */
export type AuditStore = {
  /** Links the entry to the last one. Of any number of replicas that do so at once, all end up in one chain. */
  append(entry: AuditEntry): Promise<LinkedEntry>;
  /** The latest first; with `before` those of a smaller `seq`. */
  list(options: { limit: number; before?: number | undefined }): Promise<LinkedEntry[]>;
  /** The last entry's place, as it was noted when that was added. */
  head(): Promise<AuditHead>;
  /** The place before the first entry that is kept. */
  origin(): Promise<AuditHead>;
  /** In order, page by page. Throws a SyntaxError where an entry is no JSON any more. */
  all(): AsyncIterable<LinkedEntry>;
  /** Removes entries from the beginning, up to the first that was made at `before` or later. Returns how many went. */
  forget(before: number): Promise<number>;
};

/** What may be looked at beside a running app. */
export type AuditReader = Pick<AuditStore, 'list' | 'head' | 'origin' | 'all'>;

/** The place before the very first entry. */
export const CHAIN_BEGIN: AuditHead = { seq: 0, hash: '0'.repeat(64) };

/** The entry in its place after `head`, as JSON would keep it. */
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
  | 'missing' // a gap, or a wrong order
  | 'not_linked' // it names another entry as the one before it: that one was changed, or this one inserted
  | 'tail_missing' // a noted head is past the end
  | 'other_than_noted'; // not the noted head: everything from there on was rewritten

/**
 * Reads the whole chain from `origin` on. `noted` are earlier heads: the store's own, and those in logs. Without them a
 * missing end would not show; those before `origin` cannot be checked any more.
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

/** Tells each new head: kept elsewhere, it shows later whether entries were cut off or rewritten. */
export function withHeadLogging(audit: AuditStore, tell: (head: AuditHead) => void): AuditStore {
  return {
    ...audit,
    async append(entry) {
      const linked = await audit.append(entry);
      tell({ seq: linked.seq, hash: linked.hash });
      return linked;
    },
  };
}

/** One entry as a line of JSON, with its line end: a file of these can be verified, too. */
export function toAuditLine(entry: LinkedEntry): string {
  return `${JSON.stringify(entry)}\n`;
}
