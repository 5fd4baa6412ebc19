import type { LoopbackHandler } from '../loopback/loopback-server.ts';
import { readRequestText } from '../loopback/reply.ts';
import type { OpenId } from './openid/openid.ts';
import { answerCall, type Exchange } from './web-api/answer-call.ts';
import { answerFile } from './web-api/files.ts';
import { WITHOUT_TOKEN } from './web-api/validate-blocks.ts';
import type { World } from './world.ts';

/** Serves the Web API, response URLs, Sign in with Slack and installation. */
export function createSlackHandler(world: World, pages: readonly OpenId[]): LoopbackHandler {
  const others = new Map([...WITHOUT_TOKEN, ...pages.flatMap(({ methods }) => [...methods])]);
  const handlers: OpenId['handle'][] = [
    async (path, exchange) => answerFile(world, path, exchange),
    async (path, exchange) => answerResponseUrl(world, path, exchange),
    ...pages.map(({ handle }) => handle),
  ];
  return async (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const body = request.method === 'GET' ? '' : await readRequestText(request);
    if (body === undefined) return void request.destroy();
    const exchange = { request, response, body };
    if (path.startsWith('/api/')) return answerCall(world, path.slice('/api/'.length), exchange, others);
    for (const handle of handlers) if (await handle(path, exchange)) return;
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not_found');
  };
}

function answerResponseUrl(world: World, path: string, { response, body }: Exchange): boolean {
  const id = /^\/response\/(.*)$/.exec(path)?.[1];
  if (id === undefined) return false;
  const { responseUrls } = world.teams().find((team) => team.responseUrls.has(id)) ?? world;
  const answer = responseUrls.use(id, body);
  response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.body);
  return true;
}
