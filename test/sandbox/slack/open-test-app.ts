/** The smallest thing that Slack could deliver to; it remembers what came. */
import type { IncomingHttpHeaders } from 'node:http';
import { startLoopbackServer } from '../loopback/loopback-server.ts';
import { readRequestText } from '../loopback/reply.ts';
import type { Json } from './records.ts';
import { type SandboxSlack, type SlackOptions, startSlack } from './start-slack.ts';

type AppRequest = { headers: IncomingHttpHeaders; body: string };

export type TestApp = {
  readonly url: string;
  readonly requests: AppRequest[];
  /** Undefined: the request is never answered. */
  answer: (request: AppRequest) => { status: number; body?: string; headers?: Record<string, string> } | undefined;
  close(): Promise<void>;
};

export async function openTestApp(): Promise<TestApp> {
  const requests: AppRequest[] = [];
  const { url, close } = await startLoopbackServer(async (request, response) => {
    const body = (await readRequestText(request)) ?? '';
    requests.push({ headers: request.headers, body });
    const answer = app.answer({ headers: request.headers, body });
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const app: TestApp = { url: `${url}/slack/events`, requests, answer: () => ({ status: 200 }), close };
  return app;
}

export type TestSlack = SandboxSlack & {
  readonly app: TestApp;
  /** Calls a method with the bot token, or with another one; without any where it is empty. */
  call(method: string, given: Json, token?: string): Promise<Json>;
};

export async function callMethod(
  slack: SandboxSlack,
  method: string,
  given: Json,
  token = slack.token() ?? '',
): Promise<Json> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(slack.apiUrl + method, { method: 'POST', headers, body: JSON.stringify(given) });
  return (await response.json()) as Json;
}

/** A Slack with such an app. */
export async function openTestSlack(options: SlackOptions = {}): Promise<TestSlack> {
  const [slack, app] = [await startSlack(options), await openTestApp()];
  slack.connectApp(app.url);
  return {
    ...slack,
    app,
    call: (method, given, token) => callMethod(slack, method, given, token),
    async close() {
      await slack.close();
      await app.close();
    },
  };
}
