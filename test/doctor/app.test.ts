import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Stage } from '../../src/doctor/check.ts';
import { APP, seeApp } from '../../src/doctor/checks/app.ts';
import { aConfig } from '../a-config.ts';
import { findClosedUrl } from '../http/loopback.ts';
import { say, startLooking } from './look.ts';

const { look, listen, http, findUnseen } = startLooking();

type Answer = [status: number, body: string];

const WELL: Answer = [200, '{"status":"ok"}'];
const READY: Answer = [200, '{"status":"ready"}'];

/** When it is looked at, and variables that are other ones. */
type Given = { stage?: Stage; SLACK_API_URL?: string };

const BEFORE: Given = { stage: 'before start' };

/** What is said of an app and of the address before it that answer so; undefined: nobody does. */
async function see(
  ready: Answer | undefined,
  health: Answer | undefined,
  { stage = 'running', ...changes }: Given = {},
) {
  const start = (answer: Answer | undefined) =>
    answer
      ? listen((_: IncomingMessage, response: ServerResponse) => response.writeHead(answer[0]).end(answer[1]))
      : findClosedUrl();
  const [app, way] = [await start(ready), await start(health)];
  const address = { PORT: new URL(app).port, PUBLIC_URL: way, SLACK_API_URL: 'http://127.0.0.1:1/api' };
  const config = aConfig({ ...address, ...changes });
  return say(await look(APP, config, { app: await seeApp(config, http), stage }));
}

const word = (status: string): Answer => [503, JSON.stringify({ status })];

describe('the doctor says of the process on its port', () => {
  it.each<[string, Answer | undefined, RegExp, Given?]>([
    ['it is ready', READY, /^ok: It listens on port \d+ of this machine, and is ready\.$/],
    ['it does not run', undefined, /^error: The app is not running: nothing listens on port \d+ \(PORT\).* Start/],
    ['it does not run yet', undefined, /^ok: Nothing listens on port \d+ \(PORT\)/, BEFORE],
    ['something else is there', [200, '<h1>Welcome</h1>'], /^error: A program other than the app listens on port/],
    ['its store fails', word('store_unavailable'), /^error: .*\(store_unavailable\): it cannot write to its store/],
    ['it stops', word('draining'), /^warning: .* is not ready \(draining\): it is stopping/],
    ['Slack is away', word('slack_unavailable'), /^error: .*\(slack_unavailable\): it has no connection to Slack/],
    ['it has a word of a later release', word('of_the_next'), /not ready \(of_the_next\)\. See its/],
    ['it has no word of the app', [503, '<h1>Call 555</h1>'], /not ready, and does not say why\. See its log\.$/],
  ])('that %s', async (_, ready, sentence, given) => {
    const [process] = await see(ready, WELL, given);

    expect(process).toMatch(sentence);
  });
});

describe('the doctor says of PUBLIC_URL', () => {
  it.each<[string, Answer | undefined, Answer | undefined, RegExp, Given?]>([
    ['the app is there', READY, WELL, /^ok: It can be reached at http/],
    ['a busy app is there', READY, word('event_loop_blocked'), /^ok: It can be reached/],
    ['a web page is there', READY, [200, '<h1>Hello</h1>'], /^error: A program other .*\/health \(PUBLIC_URL; status/],
    ['nothing is under that path', READY, [404, 'not found'], /^error: A program other than the app answers/],
    ['it has moved', READY, [301, ''], /^error: A program other than the app answers/],
    ['the proxy finds nobody', READY, [503, '<h1>No upstream</h1>'], /^error: A program other than the app answers/],
    ['the proxy finds no app yet', undefined, [502, ''], /^ok: The proxy in front .* finds no app yet/, BEFORE],
    ['the proxy finds no app', undefined, [502, ''], /^warning: A program other than the app answers/],
    ['nobody answers', READY, undefined, /^warning: Nothing answers at .* Slack and people's browsers have to reach/],
    [
      'it is this machine alone',
      READY,
      WELL,
      /^error: PUBLIC_URL is http:\/\/127\.0\.0\.1:\d+, which leads only to this machine/,
      { SLACK_API_URL: 'https://slack.com/api' },
    ],
  ])('that %s', async (_, ready, health, sentence, given) => {
    const [, way] = await see(ready, health, given);

    expect(way).toMatch(sentence);
  });

  it('has a test for every sentence', () => expect(findUnseen(APP)).toEqual([]));
});
