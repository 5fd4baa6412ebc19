import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Address, type BoundedServer, type Bounds, type Closure, startBoundedServer } from './bounded-server.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** Handlers by exact path, or by prefix if the key ends with a slash. */
export type Routes = Record<string, Handle>;

/** Counts requests that anybody can send. They are not logged, because there may be any number of them. */
export type PublicWatch = {
  /** The keys of all routes, at the start. */
  serves(paths: string[]): void;
  /** `path`: the key of the route, or `other`. */
  answered(path: string, status: number): void;
  closed(why: Closure): void;
};

/** With headers of 16 KB each, all connections together take 32 MB. */
const BOUNDS: Bounds = { max: 2_000, full: 1_800, idleMs: 30_000 };

/** Throws a PermanentError with a sentence for the operator if the port cannot be opened. */
export function startPublicServer(address: Address, routes: Routes, watch?: PublicWatch): Promise<BoundedServer> {
  watch?.serves(Object.keys(routes));
  return startBoundedServer({
    address,
    setting: { port: 'PORT', host: 'HOST', alternative: 'another port' },
    bounds: BOUNDS,
    handle(request, response) {
      const path = findRoute(routes, request.url ?? '/');
      response.once('finish', () => watch?.answered(path ?? 'other', response.statusCode));
      const handle = routes[path ?? ''];
      if (handle) void serve(handle, request, response);
      else response.writeHead(404).end();
    },
    onClosed: watch?.closed,
  });
}

async function serve(handle: Handle, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await handle(request, response);
  } catch {
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}

function findRoute(routes: Routes, url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? '/';
  if (Object.hasOwn(routes, path)) return path;
  return Object.keys(routes).find((route) => route.endsWith('/') && path.startsWith(route));
}
