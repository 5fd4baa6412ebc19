import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (32768 and up on Linux, 49152 on others): a server that is
 * killed and started again must not find its port taken by one of them.
 */
const FROM = 10_000;
const TO = 32_000;

/** A port of loopback that nothing listens on now, and that stays free while its server is down. */
export async function findSteadyPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM));
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
