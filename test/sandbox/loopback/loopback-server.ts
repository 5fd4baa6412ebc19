import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Refused, sendReply } from './reply.ts';

export type LoopbackServer = { readonly url: string; close(): Promise<void> };
export type LoopbackHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** Starts an HTTP server on 127.0.0.1, on a free port unless one is given. `upgrade` takes over connections of WebSockets. */
export async function startLoopbackServer(
  handler: LoopbackHandler,
  port = 0,
  upgrade?: (request: IncomingMessage, stream: Duplex, head: Buffer) => void,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    // Asked for by browsers alone, of their own accord.
    if (request.url === '/favicon.ico') return void response.writeHead(204).end();
    Promise.resolve()
      .then(() => handler(request, response))
      .catch((error: unknown) => {
        if (error instanceof Refused) sendReply(response, error.reply);
        else failLoudly(response, error);
      });
  });
  server.keepAliveTimeout = 60_000;
  if (upgrade) server.on('upgrade', upgrade);
  return { url: await listen(server, port), close: () => stop(server) };
}

export async function listen(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Cuts every connection, so that it resolves at once even while answers are held back. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

// A bug of the stand-in must not look like a fault it was asked to play.
function failLoudly(response: ServerResponse, error: unknown): void {
  console.error('sandbox: a stand-in failed', error);
  if (response.headersSent) response.destroy();
  else response.writeHead(599, { 'content-type': 'text/plain' }).end('The stand-in itself failed; see its output.');
}
