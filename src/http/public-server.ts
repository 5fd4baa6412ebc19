import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PermanentError } from '../errors.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** Handlers by exact path, or by prefix if the key ends with a slash. */
export type Routes = Record<string, Handle>;

export type PublicServer = {
  port: number;
  /** Stops accepting, waits for open requests up to the time (ms), then closes every connection. */
  close(graceMs: number): Promise<void>;
};

/** Against slow or excessive requests: a slow-loris connection is closed after ten seconds. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};

/** Throws a PermanentError with a sentence for the operator if the port cannot be opened. */
export async function startPublicServer(port: number, routes: Routes): Promise<PublicServer> {
  const server = createServer(LIMITS, (request, response) => {
    const handle = findRoute(routes, request.url ?? '/');
    if (handle) void serve(handle, request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toListenError(port, error)));
    server.listen(port, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: (graceMs) => close(server, graceMs) };
}

function toListenError(port: number, error: NodeJS.ErrnoException): PermanentError {
  const sentence =
    error.code === 'EADDRINUSE'
      ? `Port ${port} is in use by another process. End that one, or set PORT to another port.`
      : `Port ${port} cannot be listened on (${error.code}). Set PORT to one that this process may use.`;
  return new PermanentError('port_not_opened', sentence, { cause: error });
}

async function serve(handle: Handle, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await handle(request, response);
  } catch {
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}

function findRoute(routes: Routes, url: string): Handle | undefined {
  const path = url.split('?', 1)[0] ?? '/';
  const prefix = Object.keys(routes).find((route) => route.endsWith('/') && path.startsWith(route));
  return routes[path] ?? routes[prefix ?? ''];
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
