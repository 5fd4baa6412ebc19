// A company's network: names that nobody can resolve but its proxy, which leads them to loopback ports, with TLS.
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerIdentity } from './certificates.ts';
import { listen, stop } from './loopback/loopback-server.ts';

export type HttpProxy = Awaited<ReturnType<typeof startHttpProxy>>;

export type HttpProxyOptions = {
  /** The ports on loopback that names lead to, such as `slack.test.internal`. */
  ports: Record<string, number>;
  /** `user:password` that it wants from everybody. */
  credentials?: string;
  /** With it the proxy itself speaks TLS. */
  identity?: ServerIdentity;
};

export async function startHttpProxy({ ports, credentials, identity }: HttpProxyOptions) {
  const asked: string[] = [];
  let refused: number | undefined;
  const server = identity ? createTlsServer(identity) : createServer();
  const sockets = new Set<Duplex>();

  function admit(request: IncomingMessage, name: string): { port: number } | { status: number } {
    asked.push(request.url ?? '');
    const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (wanted && request.headers['proxy-authorization'] !== wanted) return { status: 407 };
    if (refused) return { status: refused };
    const port = ports[name];
    return port === undefined ? { status: 502 } : { port };
  }

  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    const admitted = admit(request, request.url?.split(':')[0] ?? '');
    if ('status' in admitted)
      return void socket.end(`HTTP/1.1 ${admitted.status} Refused\r\ncontent-length: 0\r\n\r\n`);
    const target = connect(admitted.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    for (const one of [socket, target])
      sockets.add(one.on('error', () => undefined).on('close', () => target.destroy()));
  });
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', 'http://proxy');
    const admitted = admit(request, url.hostname);
    if ('status' in admitted) return void response.writeHead(admitted.status).end();
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const target = { port: admitted.port, path: url.pathname + url.search, method: request.method, headers };
    request.pipe(
      sendRequest(target, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  return {
    /** Without user and password. */
    host: new URL(await listen(server)).host,
    /** What it was asked to connect to, in order, such as `slack.test.internal:443`; forwarded addresses as they are. */
    asked: asked as readonly string[],
    /** The status that it answers everybody with, after it has cut open connections; undefined: it does its work. */
    refuse(status: number | undefined): void {
      refused = status;
      if (status) for (const socket of sockets) socket.destroy();
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await stop(server);
    },
  };
}

export type TlsFront = { readonly port: number; close(): Promise<void> };

/** TLS for servers on loopback that have none: each host name leads to one of them. */
export async function startTlsFront(identity: ServerIdentity, urls: Record<string, string>): Promise<TlsFront> {
  const server = createTlsServer(identity, (request, response) => {
    const url = urls[request.headers.host ?? ''];
    if (url === undefined) return void response.writeHead(421).end();
    const forwarded = sendRequest(url + request.url, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = new URL(urls[request.headers.host ?? ''] ?? 'http://127.0.0.1:1');
    const target = connect(Number(url.port), url.hostname, () => {
      const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
      target.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      target.write(head);
      socket.pipe(target).pipe(socket);
    });
    for (const one of [socket, target]) one.on('error', () => undefined).on('close', () => target.destroy());
  });
  return { port: Number(new URL(await listen(server)).port), close: () => stop(server) };
}
