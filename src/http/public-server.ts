import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listen, type Place } from './listen.ts';

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

/** Connections above this are refused. With headers of 16 KB each, they hold 32 MB. */
const MAX_CONNECTIONS = 2_000;

/** Above this, the oldest connection makes room for a new one. */
const FULL = 1_800;

/** Throws a PermanentError with a sentence for the operator if the port cannot be opened. */
export async function startPublicServer(place: Place, routes: Routes): Promise<PublicServer> {
  const server = createServer(LIMITS, (request, response) => {
    const handle = findRoute(routes, request.url ?? '/');
    if (handle) void serve(handle, request, response);
    else response.writeHead(404).end();
  });
  boundConnections(server);
  const opened = await listen(server, place, { port: 'PORT', host: 'HOST', alternative: 'another port' });
  return { port: opened, close: (graceMs) => close(server, graceMs) };
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

type Exchange = { request: IncomingMessage; response: ServerResponse };

/**
 * Bounds the connections of a server. When there are too many, the one gives way that has owed us a complete request for
 * longest, or is kept open for a next one. Otherwise whoever opens many and sends nothing would keep everybody out.
 */
export function boundConnections(server: Server, { max = MAX_CONNECTIONS, full = FULL } = {}): void {
  /** By how long ago their last request began. */
  const connections = new Map<Socket, Exchange | undefined>();
  server.maxConnections = max;
  server.on('connection', (socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
    if (connections.size > full) findOwing(connections)?.destroy();
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    if (!connections.delete(socket)) return;
    connections.set(socket, { request, response });
  });
}

function findOwing(connections: Map<Socket, Exchange | undefined>): Socket | undefined {
  for (const [socket, exchange] of connections) {
    const isAnswering = exchange?.request.complete && !exchange.response.writableFinished;
    if (!isAnswering && !socket.destroyed) return socket;
  }
  return undefined;
}
