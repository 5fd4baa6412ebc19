import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import { PermanentError } from '../errors.ts';

/** For the error if the port cannot be opened: the variables to set, and other values for the port. */
type PortSetting = { port: string; host: string; alternative: string };

/** Where a server listens. `host`: an IP address of this machine, or `*` for all. */
export type Address = { host: string; port: number };

/** The limits of a server. */
export type Bounds = {
  /** Connections above this are refused. */
  max: number;
  /** Above this, a new connection closes the one whose client has kept us waiting longest. */
  full: number;
  /** The longest time without traffic while an answer is prepared or read, in ms. */
  idleMs: number;
};

/**
 * Why a connection was closed. `pipelined`: it sent a request before it had the previous answer. `full`: a new one
 * needed its address.
 */
export type Closure = 'pipelined' | 'full';

export type BoundedServerOptions = {
  address: Address;
  setting: PortSetting;
  bounds: Bounds;
  handle(request: IncomingMessage, response: ServerResponse): unknown;
  onClosed?: ((why: Closure) => void) | undefined;
};

export type BoundedServer = {
  port: number;
  /** Stops accepting, waits up to `graceMs` for open requests, then closes every connection. */
  close(graceMs: number): Promise<void>;
};

/** A slow-loris connection is closed after ten seconds. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // Otherwise Node itself answers requests without a host, as many as a connection sends.
  requireHostHeader: false,
};

/**
 * An HTTP server whose memory nobody can fill: it limits connections, takes one request at a time on each, and closes
 * connections that do not read their answer. Throws a PermanentError with a sentence for the operator if the port
 * cannot be opened.
 */
export async function startBoundedServer(options: BoundedServerOptions): Promise<BoundedServer> {
  const { bounds, handle, onClosed } = options;
  const server: Server = createServer({ ...LIMITS, IncomingMessage: OneAtATime });
  server.timeout = bounds.idleMs;
  // Many short headers, 5 KB in all, would take a hundred KB of memory.
  server.maxHeadersCount = 100;
  const connections = boundConnections(server, bounds, onClosed);

  function take(request: IncomingMessage, response: ServerResponse): void {
    connections.begin({ request, response });
    handle(request, response);
  }
  server.on('request', take).on('checkExpectation', take);
  // Without a listener, Node would go on parsing: see OneAtATime.
  server.on('upgrade', () => undefined);

  const port = await listen(server, options.address, options.setting);
  return { port, close: (graceMs) => close(server, connections.endAll, graceMs) };
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** The last exchange of each connection. `onPipelined`: called when a request comes too early. */
const exchanges = new WeakMap<Socket, Exchange & { onPipelined(): void }>();

const pipelined = new WeakSet<IncomingMessage>();

/**
 * No honest client sends a request before it has the previous answer: browsers, Slack and proxies wait, or open another
 * connection. Node would parse all requests in a chunk of 64 KB, up to 2,000, which takes 30 ms. It stops parsing at a
 * request for a protocol upgrade, so a request that comes too early pretends to be one.
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

  /** Node sets this if the client asks for an upgrade. We ignore it and send an ordinary answer. */
  set upgrade(_asked: boolean) {}
}

/**
 * If there are too many connections, closes the one whose client has kept us waiting longest: for the rest of a request,
 * for reading our answer, or for its next request. Otherwise many silent connections would lock out everybody.
 */
function boundConnections(server: Server, { max, full }: Bounds, onClosed: BoundedServerOptions['onClosed']) {
  /** In the order in which their last requests began, the oldest first. */
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
      // Do not keep the request of an idle connection: its headers and body may be large.
      exchange.response.once('finish', () => exchanges.delete(socket));
      if (connections.delete(socket)) connections.add(socket);
      if (!server.listening) endWith(exchange);
    },
    /** Each connection ends with its answer: otherwise another request could come just before it is closed. */
    endAll(): void {
      for (const socket of connections) endWith(exchanges.get(socket));
    },
  };
}

function endWith(exchange: Exchange | undefined): void {
  if (exchange?.response.headersSent === false) exchange.response.setHeader('connection', 'close');
}

function findOwing(connections: Set<Socket>): Socket | undefined {
  for (const socket of connections) if (!socket.destroyed && !isOurTurn(exchanges.get(socket))) return socket;
  return undefined;
}

/** Whether the request is complete and our answer is not finished yet. */
function isOurTurn(exchange: Exchange | undefined): boolean {
  return exchange?.request.complete === true && !exchange.response.writableEnded;
}

async function close(server: Server, endAll: () => void, graceMs: number): Promise<void> {
  endAll();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

/** Opens the port and resolves with its number. Throws a PermanentError with a sentence for the operator. */
async function listen(server: Server, { host, port }: Address, setting: PortSetting): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toListenError({ host, port }, error, setting)));
    if (host === '*') server.listen(port, resolve);
    else server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** The address for programs on the same machine. */
export function toLocalUrl({ host, port }: Address): string {
  if (['*', '0.0.0.0', '::'].includes(host)) return `http://127.0.0.1:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function toListenError({ host, port }: Address, error: NodeJS.ErrnoException, setting: PortSetting): PermanentError {
  const sentences: Partial<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use by another process. End that process, or set ${setting.port} to ${setting.alternative}.`,
    EADDRNOTAVAIL: `This machine does not have the address ${host}. Set ${setting.host} to one that it has, or to * for all.`,
  };
  const sentence =
    sentences[error.code ?? ''] ??
    `Port ${port} cannot be opened (${error.code}). Set ${setting.port} to one that this process may use.`;
  return new PermanentError('port_not_opened', sentence, { cause: error });
}
