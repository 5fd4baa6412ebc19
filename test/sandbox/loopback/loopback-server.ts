import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export type LoopbackServer = { readonly url: string; close(): Promise<void> };
export type LoopbackHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/**
 * Starts an HTTP server on 127.0.0.1, on a free port unless one is given.
 * `close` cuts every connection, so that it resolves at once even while answers are held back.
 */
export async function startLoopbackServer(handler: LoopbackHandler, port = 0): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    // Asked for by browsers alone, of their own accord.
    if (request.url === '/favicon.ico') return void response.writeHead(204).end();
    Promise.resolve()
      .then(() => handler(request, response))
      .catch((error: unknown) => failLoudly(response, error));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The loopback server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// A bug of the stand-in must not look like a fault it was asked to play.
function failLoudly(response: ServerResponse, error: unknown): void {
  console.error('sandbox: a stand-in failed', error);
  if (response.headersSent) response.destroy();
  else response.writeHead(599, { 'content-type': 'text/plain' }).end('The stand-in itself failed; see its output.');
}
