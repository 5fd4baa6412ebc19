import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { APP, seeApp } from '../../src/doctor/checks/app.ts';
import { aConfig } from '../a-config.ts';
import { findClosedUrl } from '../http/loopback.ts';
import { startLooking } from './look.ts';

const { look, listen, http, findUnseen } = startLooking();

type Answer = [status: number, body: string];

const WELL: Answer = [200, '{"status":"ok"}'];
const READY: Answer = [200, '{"status":"ready"}'];

/** What is said of an app and of the address before it that answer so; undefined: nobody does. */
async function see(ready: Answer | undefined, health: Answer | undefined, changes: Record<string, string> = {}) {
  const start = (answer: Answer | undefined) =>
    answer
      ? listen((_: IncomingMessage, response: ServerResponse) => response.writeHead(answer[0]).end(answer[1]))
      : findClosedUrl();
  const [app, way] = [await start(ready), await start(health)];
  const address = { PORT: new URL(app).port, PUBLIC_URL: way, SLACK_API_URL: 'http://127.0.0.1:1/api' };
  const { stage, ...rest } = changes;
  const config = aConfig({ ...address, ...rest });
  const seen = await seeApp(config, http);
  const found = await look(APP, config, { app: seen, stage: stage === 'before start' ? stage : 'running' });
  return found.map(({ level, sentence }) => `${level}: ${sentence}`);
}

const BEFORE = { stage: 'before start' };
const word = (status: string): Answer => [503, JSON.stringify({ status })];

describe('the doctor says of the process on its port', () => {
  it.each<[string, Answer | undefined, Record<string, string>, RegExp]>([
    ['it is ready', READY, {}, /^ok: It listens on port \d+ of this machine, and is ready\.$/],
    ['it does not run', undefined, {}, /^error: The app is not running: nothing listens on port \d+ \(PORT\).* Start/],
    ['it does not run yet', undefined, BEFORE, /^ok: Nothing listens on port \d+ \(PORT\)/],
    ['something else is there', [200, '<h1>Welcome</h1>'], {}, /^error: Something else than the app listens on port/],
    ['its store fails', word('store_unavailable'), {}, /^error: .*\(store_unavailable\): it cannot write to its store/],
    ['it stops', word('draining'), {}, /^warning: .* is not ready \(draining\): it is stopping/],
    ['Slack is away', word('slack_unavailable'), {}, /^error: .*\(slack_unavailable\): it has no connection to Slack/],
    [
      'it has a word of a later release',
      word('of_the_next_release'),
      {},
      /not ready \(of_the_next_release\)\. See its/,
    ],
    ['it has no word of the app', [503, '<h1>Call 555</h1>'], {}, /not ready, and does not say why\. See its log\.$/],
  ])('that %s', async (_, ready, changes, sentence) => {
    const [process] = await see(ready, WELL, changes);

    expect(process).toMatch(sentence);
  });
});

describe('the doctor says of PUBLIC_URL', () => {
  it.each<[string, Answer | undefined, Answer | undefined, Record<string, string>, RegExp]>([
    ['the app is there', READY, WELL, {}, /^ok: It can be reached at http/],
    ['a busy app is there', READY, word('event_loop_blocked'), {}, /^ok: It can be reached/],
    [
      'a web page is there',
      READY,
      [200, '<h1>Hello</h1>'],
      {},
      /^error: Something else .*\/health \(PUBLIC_URL; status/,
    ],
    ['nothing is under that path', READY, [404, 'not found'], {}, /^error: Something else than the app answers/],
    ['it has moved', READY, [301, ''], {}, /^error: Something else than the app answers/],
    ['the proxy finds nobody', READY, [503, '<h1>No upstream</h1>'], {}, /^error: Something else than the app answers/],
    [
      'the proxy finds no app yet',
      undefined,
      [502, ''],
      BEFORE,
      /^ok: What is in front of the app .* finds no app yet/,
    ],
    ['the proxy finds no app', undefined, [502, ''], {}, /^warning: Something else than the app answers/],
    [
      'nobody answers',
      READY,
      undefined,
      {},
      /^warning: Nothing answers at .* Slack and people's browsers have to reach/,
    ],
    [
      'it is this machine alone',
      READY,
      WELL,
      { SLACK_API_URL: 'https://slack.com/api' },
      /^error: PUBLIC_URL is http:\/\/127\.0\.0\.1:\d+, which is this machine alone/,
    ],
  ])('that %s', async (_, ready, health, changes, sentence) => {
    const [, way] = await see(ready, health, changes);

    expect(way).toMatch(sentence);
  });

  it('has a test for every sentence', () => expect(findUnseen(APP)).toEqual([]));
});
