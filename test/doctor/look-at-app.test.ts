import { afterEach, describe, expect, it } from 'vitest';
import { lookAtApp } from '../../scripts/doctor/look-at-app.ts';
import { aConfig } from '../a-config.ts';
import { type Loopback, listen } from '../http/loopback.ts';

const servers: Loopback[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** What is said of an app whose `/ready` answers so. */
async function look(status: number, body: string) {
  const server = await listen((_, response) => response.writeHead(status).end(body));
  servers.push(server);
  const { findings, isReady } = await lookAtApp(aConfig({ PORT: new URL(server.url).port, PUBLIC_URL: server.url }));
  return { finding: findings[0], isReady };
}

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
    expect([other.isReady, other.finding?.level]).toEqual([false, 'warning']);
    expect(other.finding?.sentence).toContain('Something else than the app listens');
  });
});
