import { ConnectionClosedError, createNodeRedisClient, type IRedisClient } from 'bullmq';
import { createClient } from 'redis';
import { createReplicaLeaver } from '../../redis/leave-replica.ts';
import { toServerName } from '../../redis/server-name.ts';
import { retry } from '../../retry.ts';

/**
 * Socket time-out, which detects a vanished peer. Longer than BullMQ's blocking read, which waits up to 10 s.
 */
const SILENCE_MS = 15_000;

/** Keeps an idle connection from timing out. */
const PING_EVERY_MS = 5_000;

const MAX_RECONNECT_MS = 1_000;

const ASK_AGAIN_MS = 200;

/** The most commands that wait for Redis. More are refused: the search for due lanes finds what they were to wake. */
const MAX_WAITING = 10_000;

/**
 * The two connections that BullMQ needs: one for its scripts, one for the blocking read. Both reconnect until destroyed;
 * errors are reported to `onFault`.
 */
export function connectQueue(url: string, onFault: (error: unknown) => void) {
  const scripts = connect(url, onFault);
  const blocking = connect(url, onFault);
  const client = Object.assign(scripts, { duplicate: () => blocking });
  return {
    /** For a queue and a worker to share. */
    client,
    /** Ends both connections at once. Pending commands are dropped. */
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
    // Commands may wait for a connection. The default of 5 s costs a timer per command.
    commandOptions: { timeout: undefined },
    commandsQueueMaxLength: MAX_WAITING,
    // By default node-redis waits forever for a silent peer.
    socket: { ...toServerName(url), socketTimeout: SILENCE_MS, reconnectStrategy: toReconnectMs },
  });
  const client = createNodeRedisClient(raw);
  const leaveReplica = createReplicaLeaver(raw);
  // BullMQ removes its own listener when it closes, and an error without a listener ends the process.
  client.on('error', onFault);
  // BullMQ sends INFO once, at the start. If that fails, the queue never works, and fetching blocks the event loop.
  const info = client.info.bind(client);
  Object.assign(client, { info: () => retry(info, () => (raw.isOpen ? ASK_AGAIN_MS : undefined)) });
  return patient(client, (error) => {
    leaveReplica(error);
    onFault(error);
  });
}

function toReconnectMs(retries: number): number {
  return Math.min(2 ** retries * 25, MAX_RECONNECT_MS) + Math.random() * 50;
}

/**
 * BullMQ pauses only after connection errors, and the adapter reports few errors as such. Without this, fetching would
 * retry in a tight loop while Redis is loading or read-only.
 */
function patient(client: IRedisClient, onFault: (error: unknown) => void): IRedisClient {
  const runCommand = client.runCommand.bind(client);
  const bzpopmin = client.bzpopmin.bind(client);
  return Object.assign(client, {
    /** The blocking read bypasses runCommand. Without this, a refusal by a read-only replica would stay unnoticed. */
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
