// Caches the inventory briefly while an admin searches it or turns pages. One cache per person, because rights differ.
import { LRUCache } from 'lru-cache';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Agent, Environment, Found } from '../../admin-api/inventory-wire.ts';
import type { Person } from '../../conversation/question.ts';
import type { Candidate } from './inventory.ts';

type SearchKind = 'agents' | 'environments';

/** `truncated`: the service did not list everything. */
export type Inventory = { candidates: Candidate[]; truncated: boolean };

export type InventoryCache = {
  /** The cached result, or the read in progress, or what `read` returns. A failure is cached for a few seconds. */
  get(kind: SearchKind, person: Person, read: () => Promise<Inventory>): Promise<Inventory>;
  /** The same session, which reads all agents and environments once for all pages; again if it `isFresh`. */
  toSession(session: AdminSession, person: Person, options: { isFresh: boolean }): AdminSession;
};

/** New agents show up after a while anyway: the service itself lags behind by about 20 minutes. */
const KEPT_MS = 5 * 60_000;

/** Every keystroke needs the inventory; a failing service is asked less often. */
const FAILURE_KEPT_MS = 5_000;

/** For all people together, per kind. A row has some hundred bytes. */
const MAX_ROWS = 200_000;

type Tried = { inventory: Inventory } | { error: unknown };

export function createInventoryCache(now: () => number): InventoryCache {
  const inventories = new LRUCache<string, Tried, () => Promise<Inventory>>({
    ...limitRows(now, (tried: Tried) => ('inventory' in tried ? tried.inventory.candidates : [])),
    async fetchMethod(_key, _known, { context: read, options }) {
      try {
        return { inventory: await read() };
      } catch (error) {
        options.ttl = FAILURE_KEPT_MS;
        return { error };
      }
    },
  });
  const agents = createFinds<Agent>(now);
  const environments = createFinds<Environment>(now);

  return {
    async get(kind, { team, user }, read) {
      const tried = await inventories.forceFetch(`${kind}:${team}:${user}`, { context: read });
      if ('error' in tried) throw tried.error;
      return tried.inventory;
    },
    toSession(session, { team, user }, { isFresh }) {
      const key = `${team}:${user}`;
      return {
        ...session,
        findAgents: (filter) => {
          const read = () => session.findAgents(filter);
          return filter === undefined ? agents(key, isFresh, read) : read();
        },
        findEnvironments: () => environments(key, isFresh, () => session.findEnvironments()),
      };
    },
  };
}

/** What the inventory query found, and when. If a refresh fails, the cached result stays. */
function createFinds<Row>(now: () => number) {
  const finds = new LRUCache<string, Found<Row>, () => Promise<Found<Row>>>({
    ...limitRows(now, ({ rows }: Found<Row>) => rows),
    noDeleteOnFetchRejection: true,
    fetchMethod: (_key, _known, { context: read }) => read(),
  });
  return (key: string, isFresh: boolean, read: () => Promise<Found<Row>>): Promise<Found<Row>> =>
    finds.forceFetch(key, { context: read, forceRefresh: isFresh });
}

function limitRows<Kept>(now: () => number, toRows: (kept: Kept) => readonly unknown[]) {
  return {
    maxSize: MAX_ROWS,
    sizeCalculation: (kept: Kept) => toRows(kept).length + 1,
    ttl: KEPT_MS,
    perf: { now },
    ignoreFetchAbort: true,
  };
}
