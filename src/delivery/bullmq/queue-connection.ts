import { ConnectionClosedError, createNodeRedisClient, type IRedisClient } from 'bullmq';
import { createClient } from 'redis';
import type { Log } from '../../log.ts';
import { createReplicaLeaver } from '../../redis/leave-replica.ts';

export type QueueConnection = {
  /** For a queue and a worker to share. */
  client: IRedisClient;
  /** Ends both connections at once, whatever waits for them. */
  destroy(): void;
};

/**
 * A peer that vanished without a word is noticed by this. BullMQ's blocking read waits up to 10 s, and must not be
 * mistaken for it.
 */
const SILENCE_MS = 15_000;

/** What keeps an idle connection from being silent. */
const PING_EVERY_MS = 5_000;

const MAX_RECONNECT_MS = 1_000;

/**
 * The two connections that BullMQ needs: one for its scripts, one that waits for work. Both come back by themselves for
 * as long as they are not destroyed; what goes wrong meanwhile is told to `onFault`.
 */
export function connectQueue(url: string, onFault: (error: unknown) => void): QueueConnection {
  const scripts = connect(url, onFault);
  const blocking = connect(url, onFault);
  const client = Object.assign(scripts, { duplicate: () => blocking });
  return {
    client,
    destroy() {
      scripts.disconnect();
      blocking.disconnect();
    },
  };
}

function connect(url: string, onFault: (error: unknown) => void): IRedisClient {
  const raw = createClient({
    url,
    pingInterval: PING_EVERY_MS,
    // What waits for a connection may wait. The default, 5 s, costs a timer for each command.
    commandOptions: { timeout: undefined },
    // The default never comes back from a silent peer.
    socket: { socketTimeout: SILENCE_MS, reconnectStrategy: toReconnectMs },
  });
  const client = createNodeRedisClient(raw);
  const leaveReplica = createReplicaLeaver(raw);
  // BullMQ takes its own listener away when it closes, and an error that nobody listens to ends the process.
  client.on('error', onFault);
  return patient(client, (error) => {
    leaveReplica(error);
    onFault(error);
  });
}

function toReconnectMs(retries: number): number {
  return Math.min(2 ** retries * 25, MAX_RECONNECT_MS) + Math.random() * 50;
}

/**
 * BullMQ tries again, after a while, only what it knows to have failed with the connection, and the adapter tells it so
 * for few ways of failing. Without this, a run that ends while Redis loads its files or takes no writes would count as
 * going on until the end of its lease, and fetching would be tried in a tight loop.
 */
function patient(client: IRedisClient, onFault: (error: unknown) => void): IRedisClient {
  const runCommand = client.runCommand.bind(client);
  const bzpopmin = client.bzpopmin.bind(client);
  return Object.assign(client, {
    /** The wait for work goes past the other, and would be refused by a replica for ever without our hearing of it. */
    async bzpopmin(key: string, timeout: number) {
      try {
        return await bzpopmin(key, timeout);
      } catch (error) {
        onFault(error);
        throw error;
      }
    },
    async runCommand(name: string, args: unknown[]) {
      try {
        return await runCommand(name, args);
      } catch (error) {
        onFault(error);
        throw new ConnectionClosedError(error instanceof Error ? error.message : String(error), error);
      }
    },
  });
}

const EVERY_MS = 10_000;

/** A Redis that is away fails thousands of calls: each kind of fault gets one line in 10 s, with how many went unsaid. */
export function createFaultLog(log: Log): (error: unknown) => void {
  const kinds = new Map<string, { saidAt: number; unsaid: number }>();
  return (error) => {
    const kind = toKind(error);
    const last = kinds.get(kind);
    if (last && performance.now() - last.saidAt < EVERY_MS) {
      last.unsaid++;
      return;
    }
    kinds.set(kind, { saidAt: performance.now(), unsaid: 0 });
    log.warn({ err: error, unsaid: last?.unsaid ?? 0 }, 'queue fault');
  };
}

function toKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error ? String(error.code) : error.name;
}
