import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Delivery, forward, readDelivery } from './forward.ts';
import { readItem } from './item.ts';
import type { Random } from './random.ts';
import type { Replica } from './replica.ts';

/** How one of Slack's deliveries ended. */
type Passed = {
  /** The replica it went to; missing where none was ready, which is a 503. */
  replica: string | undefined;
  status: number | 'unreachable';
  ms: number;
  /** Slack had not hung up by then. */
  isHeard: boolean;
  item: number | undefined;
};

export type Mischief = {
  /** So many deliveries are sent once more, some time later, perhaps to another replica: from 0 to 1. */
  duplicates: number;
  /** So many are held back for a moment, so that later ones overtake them. */
  delayed: number;
};

/** What lies between Slack and the replicas: round robin over those that are ready, and the oddities of a network. */
export type Balancer = {
  /** Deliveries of Slack; copies that are made here are not counted. Returns a function that removes the listener. */
  onPassed(listener: (passed: Passed) => void): () => void;
  set(mischief: Mischief): void;
  /** Resolves when no copy is on its way any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

export const CALM: Mischief = { duplicates: 0, delayed: 0 };

const DUPLICATE_AFTER_MS = 3_000;

const DELAY_MS = 300;

/** As an orchestrator's readiness probe, only more often, because everything here is. */
const PROBE_EVERY_MS = 200;

const PROBE_TIMEOUT_MS = 400;

/** Slack hangs up after three seconds; a replica that was frozen comes to it much later, and may. */
const PASS_TIMEOUT_MS = 60_000;

const PROBE: Delivery = { method: 'GET', path: '/ready', headers: {}, body: Buffer.alloc(0) };

export async function startBalancer(port: number, replicas: readonly Replica[], random: Random): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const listeners = new Set<(passed: Passed) => void>();
  const unready = new Set<Replica>();
  const copies = new Set<Promise<void>>();
  let mischief = CALM;
  let turn = 0;

  function next(): Replica | undefined {
    const ready = replicas.filter((replica) => !unready.has(replica));
    return ready[turn++ % ready.length];
  }

  async function pass(delivery: Delivery): Promise<{ replica?: Replica; answer?: Answer }> {
    const replica = next();
    if (!replica) return {};
    try {
      return { replica, answer: await forward(agent, replica.port, delivery, PASS_TIMEOUT_MS) };
    } catch {
      unready.add(replica);
      return { replica };
    }
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const delivery = await readDelivery(incoming);
    if (!delivery) return;
    const isEvent = delivery.path === '/slack/events';
    if (isEvent) await meddle(delivery);
    const begunAt = performance.now();
    const { replica, answer } = await pass(delivery);
    const isHeard = !response.destroyed;
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
    else response.writeHead(replica ? 502 : 503).end();
    if (!isEvent) return;
    const status = answer?.status ?? (replica ? 'unreachable' : 503);
    const passed = {
      replica: replica?.name,
      status,
      ms: performance.now() - begunAt,
      isHeard,
    } satisfies Partial<Passed>;
    for (const listener of listeners) listener({ ...passed, item: readItem(delivery.body.toString()) });
  }

  async function meddle(delivery: Delivery): Promise<void> {
    if (random.chance(mischief.duplicates)) sendAgainLater(delivery);
    if (random.chance(mischief.delayed)) await sleep(random.between(0, DELAY_MS));
  }

  function sendAgainLater(delivery: Delivery): void {
    const copy: Promise<void> = sleep(random.between(0, DUPLICATE_AFTER_MS))
      .then(() => pass(delivery))
      .then(() => void copies.delete(copy));
    copies.add(copy);
  }

  async function probe(replica: Replica): Promise<void> {
    const answer = await forward(agent, replica.port, PROBE, PROBE_TIMEOUT_MS).catch(() => undefined);
    if (answer && answer.status !== 503) unready.delete(replica);
    else unready.add(replica);
  }

  const probing = setInterval(() => {
    for (const replica of replicas) void probe(replica);
  }, PROBE_EVERY_MS);
  const server = createServer((incoming, response) => void handle(incoming, response));
  server.keepAliveTimeout = PASS_TIMEOUT_MS;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  return {
    onPassed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(wanted) {
      mischief = wanted;
    },
    async settled() {
      await Promise.all(copies);
    },
    async close() {
      clearInterval(probing);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}
