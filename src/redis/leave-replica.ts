import { ErrorReply } from 'redis';

type Client = { readonly isReady: boolean; sendCommand(args: string[]): Promise<unknown> };

/** A name that does not point elsewhere yet leads back to the same Redis. */
const PAUSE_MS = 1_000;

/**
 * To be told of every error. A fail-over that was planned leaves connections as they are: at what is a replica now, which
 * takes no writes, while the name points to another Redis already. Saying goodbye there has the client connect anew.
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
