import type { IncomingMessage, ServerResponse } from 'node:http';

/** How a look at the process went, in one word for whoever reads it: anybody can. */
export type ProbeResult = { isGood: boolean; status: string };

/** 200 or 503, with the word as JSON. */
export function answerProbe(request: IncomingMessage, response: ServerResponse, { isGood, status }: ProbeResult): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  response
    .writeHead(isGood ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ status }));
}
