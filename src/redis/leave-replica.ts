import { ErrorReply } from 'redis';

type Client = { readonly isReady: boolean; sendCommand(args: string[]): Promise<unknown> };

/** Until DNS points to the new primary, a reconnect leads back to the same Redis. */
const PAUSE_MS = 1_000;

/**
 * Returns a function to call with every error. After a planned fail-over, connections stay open to the old primary, now a
 * replica that refuses writes with READONLY. It then sends QUIT: on reconnecting, DNS leads to the new primary.
 */
export function createReplicaLeaver(client: Client): (error: unknown) => void {
  let leftAt = Number.NEGATIVE_INFINITY;
  return function leaveReplica(error) {
    if (!(error instanceof ErrorReply) || !error.message.includes('READONLY')) return;
    if (!client.isReady || performance.now() - leftAt < PAUSE_MS) return;
    leftAt = performance.now();
    client.sendCommand(['QUIT']).catch(() => undefined);
  };
}
