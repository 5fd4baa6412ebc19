import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (32768 and up on Linux, 49152 on others): a server that is
 * killed and started again must not find its port taken by one of them.
 */
const FROM = 10_000;
const TO = 32_000;
const TRIES = 100;

/**
 * A port of loopback for a server that is still to be started, perhaps by another process, and perhaps more than once.
 * No second caller gets it, in whichever process, for as long as this process lives.
 */
export async function claimPort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM));
    if ((await claim(port)) && (await isFree(port))) return port;
  }
  throw new Error(`no port is free among ${TRIES} between ${FROM} and ${TO}`);
}

/** Holds the UDP port of the same number, which no server here needs, and which the system gives back when we end. */
function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => {
      socket.unref();
      resolve(true);
    });
  });
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
