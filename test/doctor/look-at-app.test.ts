import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { lookAtApp } from '../../src/doctor/look-at-app.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { aConfig } from '../a-config.ts';
import { findClosedUrl, type Loopback, listen } from '../http/loopback.ts';

const servers: Loopback[] = [];
const http = createHttpClient();

afterAll(() => http.close());
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** What is said of an app whose `/ready` answers so. */
async function look(status: number, body: string) {
  const server = await listen((_, response) => response.writeHead(status).end(body));
  servers.push(server);
  const { findings, isReady } = await lookAtApp(
    aConfig({ PORT: new URL(server.url).port, PUBLIC_URL: server.url }),
    http,
  );
  return { finding: findings[0], isReady };
}

describe('the doctor and PUBLIC_URL', () => {
  /** What is said of the address where somebody answers so, while the app itself says on its port that it is ready. */
  async function lookAtWay(status: number, body: string, changes: Record<string, string> = {}) {
    const app = await listen((_, response) => response.end('{"status":"ready"}'));
    const proxy = await listen((_, response) => response.writeHead(status).end(body));
    servers.push(app, proxy);
    const address = { PORT: new URL(app.url).port, PUBLIC_URL: proxy.url, SLACK_API_URL: 'http://127.0.0.1:1/api/' };
    const { findings } = await lookAtApp(aConfig({ ...address, ...changes }), http);
    return findings[1];
  }

  it('is well where the app answers there', async () => {
    expect(await lookAtWay(200, '{"status":"ok"}')).toMatchObject({ level: 'ok' });
    expect(await lookAtWay(503, '{"status":"event_loop_blocked"}')).toMatchObject({ level: 'ok' });
  });

  it.each([
    [200, '<h1>Welcome</h1>'],
    [404, 'not found'],
    [301, ''],
    [503, '<h1>No upstream</h1>'],
  ])('is wrong where something else answers there: %i %s', async (status, body) => {
    expect(await lookAtWay(status, body)).toMatchObject({
      level: 'error',
      sentence: expect.stringMatching(/^Something else than the app answers at \S+\/health \(PUBLIC_URL; status \d+\)/),
    });
  });

  it('is wrong where it is this machine alone, and Slack is the real one', async () => {
    expect(await lookAtWay(200, '{"status":"ok"}', { SLACK_API_URL: 'https://slack.com/api/' })).toMatchObject({
      level: 'error',
      sentence: expect.stringMatching(/^PUBLIC_URL is http:\/\/127\.0\.0\.1:\d+, which is this machine alone/),
    });
  });
});

describe('the doctor and an app that does not run', () => {
  it('is an error, except before the first start', async () => {
    const PORT = new URL(await findClosedUrl()).port;
    const config = aConfig({ PORT });

    const running = await lookAtApp(config, http);
    const before = await lookAtApp(config, http, 'before start');

    expect(running.findings[0]).toMatchObject({
      level: 'error',
      sentence: expect.stringMatching(/^The app is not running: nothing listens on port \d+ \(PORT\).* Start it/),
    });
    expect(before.findings[0]).toMatchObject({ level: 'ok' });
  });

  it('may have a proxy before it that finds no app yet', async () => {
    const proxy = await listen((_, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'));
    servers.push(proxy);
    const PORT = new URL(await findClosedUrl()).port;
    const config = aConfig({ PORT, PUBLIC_URL: proxy.url, SLACK_API_URL: 'http://127.0.0.1:1/api/' });

    const [, before] = (await lookAtApp(config, http, 'before start')).findings;
    const [, running] = (await lookAtApp(config, http)).findings;

    expect(before).toMatchObject({ level: 'ok', sentence: expect.stringContaining('finds no app yet') });
    expect(running).toMatchObject({ level: 'warning' });
  });
});

describe('the doctor and an app that is not ready', () => {
  it.each([
    ['store_unavailable', 'error', /is not ready \(store_unavailable\): it cannot write to its store/],
    ['draining', 'warning', /is not ready \(draining\): it is stopping/],
    ['of_the_next_release', 'warning', /is not ready \(of_the_next_release\)\. See its log\./],
  ])('says why: %s', async (word, level, sentence) => {
    const { finding, isReady } = await look(503, JSON.stringify({ status: word }));

    expect(finding).toMatchObject({ level, sentence: expect.stringMatching(sentence) });
    expect(isReady).toBe(false);
  });

  it('shows nothing that is no word of the app', async () => {
    const { finding } = await look(503, '<h1>Out of order, call 555</h1>');

    expect(finding?.sentence).toMatch(/but is not ready, and does not say why\. See its log\.$/);
  });

  it('takes only the word of the app for ready', async () => {
    const app = await look(200, '{"status":"ready"}');
    const other = await look(200, '<h1>Welcome</h1>');

    expect([app.isReady, app.finding?.level]).toEqual([true, 'ok']);
    expect([other.isReady, other.finding?.level]).toEqual([false, 'error']);
    expect(other.finding?.sentence).toContain('Something else than the app listens');
  });
});
