// Stores the inventory as it was last read completely, so that a stop does not have to wait for the list of the service.
import { createHash } from 'node:crypto';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import type { Agent, Environment, Found } from '../../admin-api/inventory-wire.ts';
import type { Log } from '../../log.ts';
import type { Kernel, Write } from '../../storage/kernel.ts';
import { type InventoryRow, joinInventory, type NamedEnvironment, nameEnvironments } from './inventory.ts';

export type KnownRows = { rows: InventoryRow[]; environments: NamedEnvironment[] };

export type KnownInventory = {
  /** Undefined: never read as a whole, or too long ago. Throws StoreUnavailableError. */
  read(): Promise<KnownRows | undefined>;
  /** Stores only complete lists that are not too long. Throws StoreUnavailableError. */
  rememberAgents(found: Found<Agent>): Promise<void>;
  rememberEnvironments(found: Found<Environment>): Promise<void>;
};

/** Older lists are too far out of date. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** How often the same rows are written again, so that they do not expire. */
const AGAIN_MS = 60 * 60 * 1000;

/** Some hundred bytes each. More is not kept: a stop then reads the list. */
const MAX_ROWS = 20_000;

const PAGE_ROWS = 500;

const MAX_PAGES = MAX_ROWS / PAGE_ROWS;

type Kind = 'agents' | 'environments';

/** `hash`: of all rows. */
type Head = { at: number; pages: number; hash: string };

/** One for the whole deployment, like the policy: a stop itself is made with the person's own rights. */
export function createKnownInventory(kernel: Pick<Kernel, 'get' | 'commit'>, now: () => number): KnownInventory {
  async function remember<Row>(kind: Kind, { rows, truncated }: Found<Row>): Promise<void> {
    if (truncated || rows.length === 0 || rows.length > MAX_ROWS) return;
    const hash = createHash('sha256').update(JSON.stringify(rows)).digest('base64url');
    const [stored] = await kernel.get([toHeadKey(kind)]);
    const head = stored?.body as Head | undefined;
    if (head?.hash === hash && now() - head.at < AGAIN_MS) return;
    const expiresAt = now() + KEPT_MS;
    const pages = Math.ceil(rows.length / PAGE_ROWS);
    const writes: Write[] = [
      { put: toHeadKey(kind), body: { at: now(), pages, hash } satisfies Head, expiresAt },
      ...range(0, pages).map((page) => ({
        put: toPageKey(kind, page),
        body: rows.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS),
        expiresAt,
      })),
      ...range(pages, head?.pages ?? pages).map((page) => ({ drop: toPageKey(kind, page) })),
    ];
    await kernel.commit(writes);
  }

  /** Undefined: there are none, or a page is missing. */
  async function readRows<Row>(kind: Kind): Promise<Row[] | undefined> {
    const keys = [toHeadKey(kind), ...range(0, MAX_PAGES).map((page) => toPageKey(kind, page))];
    const [head, ...pages] = await kernel.get(keys);
    if (head === undefined) return undefined;
    const { pages: count } = head.body as Head;
    const bodies = pages.slice(0, count).map((page) => page?.body as Row[] | undefined);
    return bodies.every((body) => body !== undefined) ? bodies.flat() : undefined;
  }

  return {
    async read() {
      const [agents, environments] = await Promise.all([
        readRows<Agent>('agents'),
        readRows<Environment>('environments'),
      ]);
      if (agents === undefined) return undefined;
      const rows = environments ?? [];
      return { rows: joinInventory(agents, rows), environments: nameEnvironments(rows) };
    },
    rememberAgents: (found) => remember('agents', found),
    rememberEnvironments: (found) => remember('environments', found),
  };
}

/** The same session, which also stores complete lists that it reads. A failure of the store is only logged. */
export function rememberInventory(session: AdminSession, known: KnownInventory, log: Log): AdminSession {
  const orLog = (writing: Promise<void>) =>
    void writing.catch((error: unknown) => log.warn({ err: error }, 'inventory not remembered'));
  return {
    ...session,
    async findAgents(filter) {
      const found = await session.findAgents(filter);
      if (filter === undefined || Object.keys(filter).length === 0) orLog(known.rememberAgents(found));
      return found;
    },
    async findEnvironments() {
      const found = await session.findEnvironments();
      orLog(known.rememberEnvironments(found));
      return found;
    },
  };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

function toHeadKey(kind: Kind): string {
  return `known-inventory:${kind}`;
}

function toPageKey(kind: Kind, page: number): string {
  return `${toHeadKey(kind)}:${page}`;
}

/** Names of the inventory, as it was last read: untrusted. Undefined: not known. */
export type InventoryNames = {
  environment(environmentId: string | undefined): string | undefined;
  agent(environmentId: string | undefined, agentId: string | undefined): string | undefined;
};

export function toNames({ rows, environments }: KnownRows = { rows: [], environments: [] }): InventoryNames {
  const byEnvironment = new Map(environments.map(({ environmentId, name }) => [environmentId.toLowerCase(), name]));
  const toKey = (environmentId: string, id: string) => `${environmentId}\n${id}`.toLowerCase();
  const byAgent = new Map(
    rows.flatMap(({ environmentId = '', name, agentResourceId, displayName }) =>
      [name, agentResourceId].map((id) => [toKey(environmentId, id), displayName] as const),
    ),
  );
  return {
    environment: (id) => (id === undefined ? undefined : byEnvironment.get(id.toLowerCase())),
    agent: (environmentId, id) =>
      environmentId === undefined || id === undefined ? undefined : byAgent.get(toKey(environmentId, id)),
  };
}
