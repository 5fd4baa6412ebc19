// The inventory while an admin searches it or turns its pages: read once for each person, because their rights differ, and
// kept for a while.
import { LRUCache } from 'lru-cache';
import type { AdminSession } from '../../../../admin/admin-session.ts';
import type { Agent, Environment } from '../../../../admin/inventory-wire.ts';
import type { Person } from '../../../../conversation/person.ts';
import type { Candidate } from '../../../../governance/search-inventory.ts';
import { createKeptFinds } from './kept-finds.ts';

export type SearchKind = 'agents' | 'environments';

/** `truncated`: the service did not list everything. */
export type Inventory = { candidates: Candidate[]; truncated: boolean };

export type KeptInventories = {
  /** What is kept, else what is being read, else what `read` brings. A failure is believed for a few seconds. */
  get(kind: SearchKind, person: Person, read: () => Promise<Inventory>): Promise<Inventory>;
  /** The same session, which reads all agents and all environments once for all pages; anew where it `isFresh`. */
  toSession(session: AdminSession, person: Person, options: { isFresh: boolean }): AdminSession;
};

/** New agents show up after a while anyway: the service itself lags behind by about 20 minutes. */
const KEPT_MS = 5 * 60_000;

/** Every key that is pressed asks: a service that fails is not asked as often. */
const FAILURE_KEPT_MS = 5_000;

/** Of all people together, of each kind; some hundred bytes each. */
const MAX_ROWS = 200_000;

export function createKeptInventories(now: () => number): KeptInventories {
  const kept = new LRUCache<string, Inventory>({
    maxSize: MAX_ROWS,
    sizeCalculation: ({ candidates }) => candidates.length + 1,
    ttl: KEPT_MS,
    perf: { now },
  });
  const agents = createKeptFinds<Agent>({ maxRows: MAX_ROWS, keptMs: KEPT_MS, now });
  const environments = createKeptFinds<Environment>({ maxRows: MAX_ROWS, keptMs: KEPT_MS, now });
  const reading = new Map<string, Promise<Inventory>>();

  return {
    get(kind, { team, user }, read) {
      const key = `${kind}:${team}:${user}`;
      const known = kept.get(key);
      if (known) return Promise.resolve(known);
      const begun = reading.get(key);
      if (begun) return begun;
      const work = read();
      reading.set(key, work);
      work.then(
        (inventory) => {
          kept.set(key, inventory);
          reading.delete(key);
        },
        () => setTimeout(() => reading.delete(key), FAILURE_KEPT_MS).unref(),
      );
      return work;
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
