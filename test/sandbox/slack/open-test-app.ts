/** The smallest thing that Slack could deliver to; it remembers what came. */
import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, onTestFinished } from 'vitest';
import { startLoopbackServer } from '../loopback/loopback-server.ts';
import { readRequestText } from '../loopback/reply.ts';
import type { Json, View } from './records.ts';
import { type SandboxSlack, type SlackOptions, startSlack } from './start-slack.ts';

type AppRequest = { headers: IncomingHttpHeaders; body: string };

export type TestApp = Awaited<ReturnType<typeof openTestApp>>;

type Answer = { status: number; body?: string; headers?: Record<string, string> };

export async function openTestApp() {
  const requests: AppRequest[] = [];
  const { url, close } = await startLoopbackServer(async (request, response) => {
    const body = (await readRequestText(request)) ?? '';
    requests.push({ headers: request.headers, body });
    const answer = app.answer();
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const app = {
    url: `${url}/slack/events`,
    requests: requests as readonly AppRequest[],
    /** Undefined: the request is never answered. */
    answer: (): Answer | undefined => ({ status: 200 }),
    /** Answers every request with this as JSON. */
    reply(body: unknown): void {
      app.answer = () => ({ status: 200, body: JSON.stringify(body) });
    },
    /** The envelopes of the events that came. */
    events: () => requests.map(({ body }) => JSON.parse(body)),
    /** The latest click, submission and the like. */
    lastInteraction: () => JSON.parse(new URLSearchParams(requests.at(-1)?.body).get('payload') ?? '{}'),
    close,
  };
  return app;
}

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

/** What the app got of a command that Kim gives: a trigger, and where to answer. */
async function giveCommand(slack: SandboxSlack): Promise<{ trigger_id: string; response_url: string }> {
  const kim = slack.as('U0KIM');
  await kim.command('/x', '', kim.dm);
  return slack.ledger.deliveries({ delivery: 'command' }).at(-1)?.payload as never;
}

/** Opens it in front of Kim. */
export async function openModal(slack: SandboxSlack, view: Json): Promise<View> {
  const { trigger_id } = await giveCommand(slack);
  await callMethod(slack, 'views.open', { trigger_id, view });
  return slack.until(() => slack.as('U0KIM').openView());
}

export type TestSlack = Awaited<ReturnType<typeof openTestSlack>>;

/** A Slack with such an app. */
async function openTestSlack(options: SlackOptions = {}) {
  const [slack, app] = [await startSlack(options), await openTestApp()];
  slack.connectApp(app.url);
  return {
    ...slack,
    app,
    /** Calls a method with the bot token, or with another one; without any where it is empty. */
    call: (method: string, given: Json, token?: string) => callMethod(slack, method, given, token),
    giveCommand: () => giveCommand(slack),
    openModal: (view: Json) => openModal(slack, view),
    async close() {
      await slack.close();
      await app.close();
    },
  };
}

/** The same, for one test. */
export async function openSlackOnce(options?: SlackOptions): Promise<TestSlack> {
  const slack = await openTestSlack(options);
  onTestFinished(() => slack.close());
  return slack;
}

/** The same, a new one for each test of the file or of the group. */
export function openSlackForEach(options?: SlackOptions): TestSlack {
  const slack = {} as TestSlack;
  beforeEach(async () => {
    Object.assign(slack, await openTestSlack(options));
  });
  afterEach(() => slack.close());
  return slack;
}
