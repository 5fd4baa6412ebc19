import type { LoopbackHandler } from '../loopback/loopback-server.ts';
import { type Reply, readRequestText, sendReply, toText } from '../loopback/reply.ts';
import type { OpenId } from './openid/openid.ts';
import { answerCall } from './web-api/answer-call.ts';
import { answerFile } from './web-api/files.ts';
import { WITHOUT_TOKEN } from './web-api/validate-blocks.ts';
import type { World } from './world.ts';

/** Serves the Web API, response URLs, Sign in with Slack and installation. */
export function createSlackHandler(world: World, pages: readonly OpenId[]): LoopbackHandler {
  const others = new Map([...WITHOUT_TOKEN, ...pages.flatMap(({ methods }) => [...methods])]);
  const answers: OpenId['answer'][] = [
    async (path, exchange) => answerFile(world, path, exchange),
    async (path, { body }) => answerResponseUrl(world, path, body),
    ...pages.map(({ answer }) => answer),
    async () => toText(404, 'not_found'),
  ];
  return async (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const body = request.method === 'GET' ? '' : await readRequestText(request);
    if (body === undefined) return void request.destroy();
    const exchange = { request, body };
    let reply = path.startsWith('/api/')
      ? await answerCall(world, path.slice('/api/'.length), exchange, others)
      : undefined;
    for (const answer of answers) reply ??= await answer(path, exchange);
    if (reply === 'cut') request.socket.destroy();
    else if (reply) sendReply(response, reply);
  };
}

function answerResponseUrl(world: World, path: string, body: string): Reply | undefined {
  const id = /^\/response\/(.*)$/.exec(path)?.[1];
  if (id === undefined) return undefined;
  const { responseUrls } = world.teams().find((team) => team.responseUrls.has(id)) ?? world;
  return responseUrls.use(id, body);
}
