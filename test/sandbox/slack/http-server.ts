import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenId } from './openid/openid.ts';
import { answerCall } from './web-api/answer-call.ts';
import { answerFile } from './web-api/files.ts';
import { WITHOUT_TOKEN } from './web-api/validate-blocks.ts';
import type { World } from './world.ts';

const MAX_BODY_BYTES = 4_000_000;

/** Serves the Web API, response URLs, Sign in with Slack and installation on the loopback interface. */
export function createSlackServer(world: World, pages: readonly OpenId[]): Server {
  const others = new Map([...WITHOUT_TOKEN, ...pages.flatMap(({ methods }) => [...methods])]);
  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      // A mistake in the sandbox itself: say so loudly, in the answer too, rather than hang.
      process.stderr.write(`sandbox slack: ${error instanceof Error ? error.stack : String(error)}\n`);
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end('fatal_error: the sandbox itself failed');
    });
  });
  server.on('upgrade', (request, stream, head) => world.socketMode.upgrade(request, stream, head));
  return server;

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const body = request.method === 'GET' ? '' : await readBody(request);
    if (path.startsWith('/api/'))
      return answerCall(world, path.slice('/api/'.length), { request, response, body }, others);
    if (answerFile(world, path, { request, response, body })) return;
    if (path.startsWith('/response/')) return answerResponseUrl(path.slice('/response/'.length), response, body);
    for (const { handle } of pages) if (await handle(path, { request, response, body })) return;
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not_found');
  }

  function answerResponseUrl(id: string, response: ServerResponse, body: string): void {
    const { responseUrls } = world.teams().find((team) => team.responseUrls.has(id)) ?? world;
    const answer = responseUrls.use(id, body);
    response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.body);
  }
}

export async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}
