import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listen, type Place, type PortSetting } from './listen.ts';

/** What a server takes at once. */
export type Bounds = {
  /** Connections above this are refused. */
  max: number;
  /** Above this, the connection that has owed us something for longest makes room for a new one. */
  full: number;
  /** How long an answer may wait to be read, and to be given, in ms. */
  idleMs: number;
};

/**
 * Why a connection was closed. `pipelined`: it sent a request before it had the answer to the one before. `full`: another
 * one needed its place.
 */
export type Closure = 'pipelined' | 'full';

export type BoundedServerOptions = {
  place: Place;
  setting: PortSetting;
  bounds: Bounds;
  handle(request: IncomingMessage, response: ServerResponse): unknown;
  onClosed?: ((why: Closure) => void) | undefined;
};

export type BoundedServer = {
  port: number;
  /** Stops accepting, waits for open requests up to the time (ms), then closes every connection. */
  close(graceMs: number): Promise<void>;
};

/** A slow-loris connection is closed after ten seconds. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // Otherwise Node answers without us, as many requests as one connection sends.
  requireHostHeader: false,
};

/**
 * An HTTP server whose memory nobody can fill: bounded connections, one request at a time on each, and
 * no answer that waits for ever to be read. Throws a PermanentError with a sentence for the operator if the port cannot be
 * opened.
 */
export async function startBoundedServer(options: BoundedServerOptions): Promise<BoundedServer> {
  const { bounds, handle, onClosed } = options;
  const server: Server = createServer({ ...LIMITS, IncomingMessage: OneAtATime });
  server.timeout = bounds.idleMs;
  // Many short ones would take a hundred KB in 5 KB.
  server.maxHeadersCount = 100;
  const connections = boundConnections(server, bounds, onClosed);

  function take(request: IncomingMessage, response: ServerResponse): void {
    connections.begin({ request, response });
    handle(request, response);
  }
  server.on('request', take).on('checkExpectation', take);
  // Without a listener, Node would not stop there: see OneAtATime.
  server.on('upgrade', () => undefined);

  const port = await listen(server, options.place, options.setting);
  return { port, close: (graceMs) => close(server, graceMs) };
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** The last exchange of each connection, and what to call when a request comes too early. */
const exchanges = new WeakMap<Socket, Exchange & { onPipelined(): void }>();

const pipelined = new WeakSet<IncomingMessage>();

/**
 * No honest client sends a request before it has the answer to the one before: browsers, Slack and proxies wait, or open
 * another connection. Node would parse all that arrives in one piece of 64 KB, up to 2,000 requests, which takes 30 ms. It
 * stops where a request asks for another protocol, so a request that comes too early pretends to.
 */
class OneAtATime extends IncomingMessage {
  constructor(socket: Socket) {
    super(socket);
    const last = exchanges.get(socket);
    if (!last || last.response.writableFinished) return;
    pipelined.add(this);
    last.onPipelined();
  }

  get upgrade(): boolean {
    return pipelined.has(this);
  }

  /** Node says here whether the client asks for another protocol. It gets an ordinary answer. */
  set upgrade(_asked: boolean) {}
}

/**
 * When there are too many connections, the one gives way that has owed us something for longest: the rest of a request, to
 * read our answer, or a next request. Otherwise whoever opens many and sends nothing would keep everybody out.
 */
function boundConnections(server: Server, { max, full }: Bounds, onClosed: BoundedServerOptions['onClosed']) {
  /** By how long ago their last request began. */
  const connections = new Set<Socket>();
  server.maxConnections = max;
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    if (connections.size <= full) return;
    findOwing(connections)?.destroy();
    onClosed?.('full');
  });
  return {
    begin(exchange: Exchange): void {
      const { socket } = exchange.request;
      const onPipelined = () => {
        if (!socket.destroyed) onClosed?.('pipelined');
        socket.destroy();
      };
      exchanges.set(socket, { ...exchange, onPipelined });
      // An idle connection holds no request: its headers and body may be large.
      exchange.response.once('finish', () => exchanges.delete(socket));
      if (connections.delete(socket)) connections.add(socket);
    },
  };
}

function findOwing(connections: Set<Socket>): Socket | undefined {
  for (const socket of connections) if (!socket.destroyed && !isOurTurn(exchanges.get(socket))) return socket;
  return undefined;
}

/** Whether the request is here and the answer is not given yet. */
function isOurTurn(exchange: Exchange | undefined): boolean {
  return exchange?.request.complete === true && !exchange.response.writableEnded;
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
