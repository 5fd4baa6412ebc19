import type { AuditEntry, LinkedEntry } from './audit-entry.ts';

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
