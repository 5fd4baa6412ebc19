import type { Log } from '../../log.ts';
import { withinTime } from '../../time-limit.ts';
import { endFormerConnections } from './former-connection.ts';
import { toOpenError } from './open-error.ts';
import { buildClient, type RedisClient, type RedisConnection } from './redis-client.ts';
import { watchPresence } from './redis-presence.ts';
import { scripts } from './redis-scripts.ts';
import { createSender } from './redis-sender.ts';

/** It runs all our scripts. */
export type StoreConnection = RedisConnection<typeof scripts>;

const CLOSE_MS = 1_000;

/**
 * Connects, and from then on reconnects for ever by itself. Throws a PermanentError with a sentence for the operator
 * where the first connection cannot be made.
 */
export async function connectRedis({ url, log }: { url: string; log?: Log }): Promise<StoreConnection> {
  let hasConnected = false;
  const reconnectStrategy = (retries: number, cause: Error) => (hasConnected ? reconnectAfterMs(retries) : cause);
  const client = buildClient({ url, scripts, reconnectStrategy });
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

/** Soon, because it is mostly a restart; with a little chance in it, because all replicas lost it at once. */
function reconnectAfterMs(retries: number): number {
  return Math.min(1_000, 25 * 2 ** Math.min(retries, 6)) + Math.random() * 50;
}

async function close(client: RedisClient): Promise<void> {
  // It waits for the answers to come, and they may never do.
  if (client.isReady) await withinTime(CLOSE_MS, client.close(), () => undefined);
  client.destroy();
}
