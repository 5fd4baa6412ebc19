import { ErrorReply } from 'redis';

type Client = { readonly isReady: boolean; sendCommand(args: string[]): Promise<unknown> };

/** Until DNS points to the new primary, a reconnect leads back to the same Redis. */
const PAUSE_MS = 1_000;

/**
 * Returns a function to call with every error. A planned fail-over keeps connections open, now to a replica, which takes
 * no writes, while DNS already points to the new primary. On READONLY it sends QUIT, so that the client reconnects.
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
