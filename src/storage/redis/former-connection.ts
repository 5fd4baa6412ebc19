import type { RedisClient } from './redis-connection.ts';

/**
 * Ends our former connection at Redis before anything is sent on a new one. What was written to the former while the
 * network was cut may arrive once it is mended, after what the new one sent: a run that began meanwhile would lose its
 * turn to a command that we have long given up.
 *
 * By its address as well as by its id: a Redis that has restarted gives the same ids to others.
 */
export function endFormerConnections(client: RedisClient): void {
  let former: string[] | undefined;

  async function introduce(): Promise<void> {
    const info = String(await client.sendCommand(['CLIENT', 'INFO']));
    const { id, addr } = /^id=(?<id>\d+) addr=(?<addr>\S+)/.exec(info)?.groups ?? {};
    if (id && addr) former = ['ID', id, 'ADDR', addr];
  }

  client.on('ready', () => {
    // Where Redis does not let us, or has closed it by itself, there is nothing to do.
    if (former) client.sendCommand(['CLIENT', 'KILL', ...former]).catch(() => undefined);
    introduce().catch(() => undefined);
  });
}
