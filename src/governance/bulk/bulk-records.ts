// A bulk change as it is kept: one decision, its items, and how each of them ended.
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { WithLock } from '../../with-lock.ts';
import type { ChangeOutcome } from '../changes/change.ts';
import type { Caller } from '../shell/admin-rules.ts';
import type { BulkItem } from './bulk-item.ts';

/** Several things that stay as they are, for one reason. `why` and `names` (the first few) are mrkdwn. */
export type LeftOutGroup = { why: string; count: number; names: string[] };

/** Why it ended: all was tried, an admin stopped it, or a code of what kept it from going on. */
export type BulkEnding = 'done' | 'stopped' | (string & {});

export type BulkChange = {
  schema: 1;
  id: string;
  /** The admin whose decision it is. */
  by: Caller;
  /** Epoch ms. */
  plannedAt: number;
  /** How many items were planned. */
  total: number;
  leftOut: LeftOutGroup[];
  /** What an approver is shown of it, where its items do not tell: mrkdwn, a line each. */
  shown?: readonly string[] | undefined;
  /** The Slack user id of who was asked to approve it. */
  approver?: string | undefined;
  confirmed?: { at: number; reason: string; approval?: BulkApproval | undefined };
  /** Of the message that shows how far it is. */
  messageTs?: string;
  /** How often it failed through a fault of ours. */
  faults?: number;
  /** Epoch ms: since when it cannot be told whether it may be carried out. */
  waitingSince?: number | undefined;
  /** Epoch ms, and why. */
  ended?: { at: number; why: BulkEnding };
};

/** Who approved it, and carries it out with their rights: by their accounts, another person than its admin. */
export type BulkApproval = { by: Caller; approverAccount: string | undefined; account: string | undefined };

/** How one item ended. `recorded`: beside the register. `skipped`: nothing was done for it. */
export type ItemEnd = {
  kind: ChangeOutcome['kind'] | 'recorded' | 'skipped';
  /** A stable code. */
  reason?: string | undefined;
  /** The service's words, where it has said why: untrusted plain text. */
  sentence?: string | undefined;
  /** Of a conflict: the Slack user id of who changed it from here. */
  by?: string | undefined;
};

export type BulkRecords = ReturnType<typeof createBulkRecords>;

export type BulkRecordPorts = {
  /** Keeps values for a while. */
  approvals: ExpiringStore;
  /** One at a time per key, across replicas. */
  exclusively: WithLock;
  now: () => number;
};

/** A working day: after that, the plan is too old to be confirmed. */
const CONFIRMABLE_MS = 12 * 60 * 60_000;

/** Its report can be read for as long. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

const ITEMS_PER_PART = 50;

const PARTS_AT_ONCE = 10;

const OPEN = 'bulk:open';

/** All of it throws StoreUnavailableError. */
export function createBulkRecords({ approvals, exclusively, now }: BulkRecordPorts) {
  const put = (key: string, value: unknown) => approvals.put(key, JSON.stringify(value), now() + KEPT_MS);

  async function read<T>(key: string): Promise<T | undefined> {
    const text = await approvals.peek(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  const get = (id: string) => read<BulkChange>(toKey(id));
  const save = (bulk: BulkChange) => put(toKey(bulk.id), bulk);
  const listOpen = async () => (await read<string[]>(OPEN)) ?? [];

  /** Where it may still be confirmed. `isAsked`: it was asked for in time, and waited for its approval. */
  async function findPlanned(id: string, isAsked: boolean): Promise<BulkChange | 'unknown' | 'repeated'> {
    const bulk = await get(id);
    if (bulk === undefined) return 'unknown';
    if (bulk.confirmed !== undefined) return 'repeated';
    return isAsked || now() - bulk.plannedAt <= CONFIRMABLE_MS ? bulk : 'unknown';
  }

  return {
    get,
    save,

    /** Before it is confirmed. */
    async plan(bulk: BulkChange, items: readonly BulkItem[]): Promise<void> {
      const parts = toParts(items);
      for (let first = 0; first < parts.length; first += PARTS_AT_ONCE) {
        const some = parts.slice(first, first + PARTS_AT_ONCE);
        await Promise.all(some.map((part, index) => put(toKey(bulk.id, `items:${first + index}`), part)));
      }
      await save(bulk);
    },

    async readItems({ id, total }: BulkChange): Promise<BulkItem[]> {
      const items: BulkItem[] = [];
      for (let part = 0; part * ITEMS_PER_PART < total; part += 1) {
        items.push(...((await read<BulkItem[]>(toKey(id, `items:${part}`))) ?? []));
      }
      if (items.length !== total) throw new Error('the items of a bulk change are not complete');
      return items;
    },

    /** Who is asked to approve it, before it is confirmed. */
    choose(id: string, approver: string | undefined): Promise<'unknown' | 'repeated' | BulkChange> {
      return exclusively(OPEN, async () => {
        const bulk = await findPlanned(id, false);
        if (typeof bulk === 'string') return bulk;
        const chosen = { ...bulk, approver };
        await save(chosen);
        return chosen;
      });
    },

    /** Once: 'repeated' says that it was confirmed before. `ahead`: how many are carried out before it. */
    confirm(
      id: string,
      reason: string,
      approval?: BulkApproval | undefined,
    ): Promise<'unknown' | 'repeated' | { ahead: number }> {
      return exclusively(OPEN, async () => {
        const bulk = await findPlanned(id, approval !== undefined);
        if (typeof bulk === 'string') return bulk;
        const open = await listOpen();
        // In this order: one that is listed and not confirmed is forgotten, and the other way round it would never run.
        await put(OPEN, [...open, id]);
        await save({ ...bulk, confirmed: { at: now(), reason, approval } });
        return { ahead: open.length };
      });
    },

    /** The one that was confirmed first of those that have not ended. */
    async findOpen(): Promise<BulkChange | undefined> {
      // Most often there is none, and nobody has to wait for the lock.
      if ((await listOpen()).length === 0) return undefined;
      return exclusively(OPEN, async () => {
        const ids = await listOpen();
        for (const [index, id] of ids.entries()) {
          const bulk = await get(id);
          if (bulk?.confirmed === undefined || bulk.ended !== undefined) continue;
          if (index > 0) await put(OPEN, ids.slice(index));
          return bulk;
        }
        if (ids.length > 0) await approvals.take(OPEN);
        return undefined;
      });
    },

    /** Nothing more of it is begun. */
    async stop(id: string, user: string): Promise<void> {
      await put(toKey(id, 'stop'), user);
    },

    /** The Slack user id of who stopped it. */
    stoppedBy: (id: string) => read<string>(toKey(id, 'stop')),

    /** In the order of the items. */
    async keepEnds(id: string, ends: readonly ItemEnd[]): Promise<void> {
      await put(toKey(id, 'ends'), ends);
    },

    readEnds: (id: string) => read<ItemEnd[]>(toKey(id, 'ends')),
  };
}

function toKey(id: string, part?: string): string {
  return `bulk:change:${id}${part === undefined ? '' : `:${part}`}`;
}

function toParts(items: readonly BulkItem[]): BulkItem[][] {
  const count = Math.ceil(items.length / ITEMS_PER_PART);
  return Array.from({ length: count }, (_, part) => items.slice(part * ITEMS_PER_PART, (part + 1) * ITEMS_PER_PART));
}
