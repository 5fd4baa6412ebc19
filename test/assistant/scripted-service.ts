import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import {
  type AskCall,
  type AssistantClient,
  type AssistantClientOptions,
  createAssistantClient,
} from '../../src/assistant/assistant-client.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { listen } from '../http/loopback.ts';

type Received = { method: string | undefined; path: string; headers: IncomingHttpHeaders; body: unknown };

/** What the service does with one request; a status alone is an answer without a body. */
export type Script = (received: Received, response: ServerResponse) => number | object | undefined;

export type ScriptedService = { url: string; received: Received[]; paths(): string[] };

/** A service that answers as the test says, for what the strict stand-in never does. Closed with the test. */
export async function startScripted(script: Script): Promise<ScriptedService> {
  const received: Received[] = [];
  const server = await listen(async (request, response) => {
    const { method, url: path = '', headers } = request;
    const entry = { method, path, headers, body: await json(request) };
    received.push(entry);
    const reply = script(entry, response);
    if (typeof reply === 'number') response.writeHead(reply).end();
    else if (reply) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  onTestFinished(server.close);
  return { url: server.url, received, paths: () => received.map(({ path }) => path) };
}

export function connect(baseUrl: string, parts: Partial<AssistantClientOptions> = {}): AssistantClient {
  const { http = createHttpClient() } = parts;
  onTestFinished(() => http.close());
  const defaults = { stage: 'production', streaming: 'auto', streamSegment: 'chatoverstream', now: Date.now } as const;
  return createAssistantClient({ http, baseUrl, ...defaults, ...parts });
}

export function aCall(parts: Partial<AskCall> = {}): AskCall {
  return {
    person: 'T1:U1',
    accessToken: 'sandbox-ana',
    conversationId: 'c1',
    reused: false,
    text: 'What is new?',
    timeZone: 'Europe/Madrid',
    webSearch: true,
    files: [],
    ...parts,
  };
}

/** A conversation as the service writes it. */
export function aConversation(messages: object[], parts: object = {}): object {
  return { id: 'c1', displayName: 'What is new?', state: 'active', turnCount: 1, messages, ...parts };
}

export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    (value) => {
      throw new Error(`it should fail, and gave ${JSON.stringify(value)}`);
    },
    (error: Error) => error,
  );
}
