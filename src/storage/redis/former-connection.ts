import { ErrorReply } from 'redis';
import type { Log } from '../../log.ts';
import type { RedisClient } from './redis-client.ts';

/**
 * Ends our former connection at Redis before anything is sent on a new one. What was written to the former while the
 * network was cut may arrive once it is mended, after what the new one sent: a run that began meanwhile would lose its
 * turn to a command that we have long given up.
 *
 * By its address as well as by its id: a Redis that has restarted gives the same ids to others.
 */
export function endFormerConnections(client: RedisClient, log: Log | undefined): void {
  let former: string[] | undefined;

  async function introduce(): Promise<void> {
    const info = String(await client.sendCommand(['CLIENT', 'INFO']));
    const { id, addr } = /^id=(?<id>\d+) addr=(?<addr>\S+)/.exec(info)?.groups ?? {};
    if (id && addr) former = ['ID', id, 'ADDR', addr];
  }

  function warn(error: unknown): void {
    if (error instanceof ErrorReply) log?.warn({ reason: error.message }, 'redis lets no former connection be ended');
  }

  client.on('ready', () => {
    // One that broke off before it was introduced is not known, and the one before it is ended once more.
    if (former) client.sendCommand(['CLIENT', 'KILL', ...former]).catch(warn);
    introduce().catch(warn);
  });
}
