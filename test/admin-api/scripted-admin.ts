// An administrative interface that answers what a test says, over real HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLoopbackServer } from '@assistant-bridge/sandbox/loopback/loopback-server.ts';
import { onTestFinished } from 'vitest';
import type { AdminClient, AdminClientOptions } from '../../src/admin-api/admin-client.ts';
import type { AdminSession } from '../../src/admin-api/admin-session.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { aClient, aSession } from './a-session.ts';

export type SeenRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: unknown };

/** A string body is sent as it is; 'silence' never answers; 'reset' cuts the connection. */
export type Answer =
  | 'silence'
  | 'reset'
  | { status?: number; headers?: Record<string, string>; body?: unknown; text?: string };

/** Of the session that a scripted interface comes with. */
export const TOKEN = 'admin-token';

export type ScriptedAdmin = { client: AdminClient; session: AdminSession; seen: SeenRequest[] };

/** Closed with the test. */
export async function startScriptedAdmin(
  answer: (request: SeenRequest, count: number) => Answer,
  options: Partial<AdminClientOptions> = {},
): Promise<ScriptedAdmin> {
  const seen: SeenRequest[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const seenRequest = await readRequest(request);
    seen.push(seenRequest);
    reply(response, answer(seenRequest, seen.length));
  });
  const http = createHttpClient();
  const client = aClient(http, `${server.url}/`, { agentIdProperty: undefined, timeoutMs: 10_000, ...options });
  onTestFinished(async () => {
    await http.close();
    await server.close();
  });
  return { client, session: aSession(client, TOKEN), seen };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function reply(response: ServerResponse, answer: Answer): void {
  if (answer === 'silence') return;
  if (answer === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(answer.status ?? 200, answer.headers);
  response.end(answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body)));
}
