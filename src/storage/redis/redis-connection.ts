import { createClient } from 'redis';
import type { Log } from '../../log.ts';
import { endFormerConnections } from './former-connection.ts';
import { toOpenError } from './open-error.ts';
import { watchPresence } from './redis-presence.ts';
import { scripts } from './redis-scripts.ts';
import { createSender, type Send } from './redis-sender.ts';

export type RedisClient = ReturnType<typeof buildClient>;

/** The one connection that store, locks, buckets and announcements share. What is sent in one tick goes in one write. */
export type RedisConnection = {
  /** Not for commands, which could wait for ever on it: for what needs a connection of its own like this one. */
  readonly client: RedisClient;
  readonly send: Send;
  close(): Promise<void>;
};

const CONNECT_MS = 2_000;

/**
 * A connection on which nothing moves for so long, not even the answer to a ping, is dead. Long enough for a pause of our
 * own process not to look like one; commands are given up long before.
 */
const SILENCE_MS = 4_000;
const PING_MS = 1_000;

const CLOSE_MS = 1_000;

/**
 * Connects, and from then on reconnects for ever by itself. Throws a PermanentError with a sentence for the operator
 * where the first connection cannot be made.
 */
export async function connectRedis({ url, log }: { url: string; log?: Log }): Promise<RedisConnection> {
  let hasConnected = false;
  const client = buildClient(url, (retries, cause) => (hasConnected ? reconnectAfterMs(retries) : cause));
  // Before all others that hear of a connection: what it sends must be the first.
  endFormerConnections(client, log);
  const presence = watchPresence(client, log);
  try {
    await client.connect();
    hasConnected = true;
  } catch (error) {
    client.destroy();
    throw toOpenError(url, error);
  }
  return { client, send: createSender(client, presence), close: () => close(client) };
}

function buildClient(url: string, reconnectStrategy: (retries: number, cause: Error) => number | Error) {
  return createClient({
    url,
    scripts,
    name: 'assistant-bridge',
    // A command that waited here could still be written after whoever sent it was told that it had failed.
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    maintNotifications: 'disabled',
    // Its own time limit costs a signal per command, and does not count once the command is written.
    commandOptions: { timeout: undefined },
    socket: { connectTimeout: CONNECT_MS, socketTimeout: SILENCE_MS, reconnectStrategy },
  });
}

/** Soon, because it is mostly a restart; with a little chance in it, because all replicas lost it at once. */
function reconnectAfterMs(retries: number): number {
  return Math.min(1_000, 25 * 2 ** Math.min(retries, 6)) + Math.random() * 50;
}

async function close(client: RedisClient): Promise<void> {
  // It waits for the answers to come, and they may never do.
  if (client.isReady) {
    await Promise.race([client.close(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS))]);
  }
  client.destroy();
}
