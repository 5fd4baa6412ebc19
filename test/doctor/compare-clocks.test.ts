import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { watchClocks } from '../../src/doctor/compare-clocks.ts';
import { createHttpClient } from '../../src/http/http-client.ts';
import { type Loopback, listen } from '../http/loopback.ts';

const servers: Loopback[] = [];
const http = createHttpClient();

afterAll(() => http.close());
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Somebody whose clock is so far ahead, and whom the doctor has asked something. */
async function ask(clocks: ReturnType<typeof watchClocks>, aheadS: number, headers: Record<string, string> = {}) {
  const date = () => new Date(Date.now() + aheadS * 1000).toUTCString();
  const server = await listen((_, response) => response.writeHead(401, { date: date(), ...headers }).end());
  servers.push(server);
  await clocks.http.send({ method: 'GET', url: `${server.url}/any`, subject: 'doctor', totalTimeoutMs: 5_000 });
  return server.url;
}

describe('the doctor and the clock', () => {
  it('is right where it is a few seconds off, and wrong past a minute, either way', async () => {
    const clocks = watchClocks(http);
    const compare = async (aheadS: number) => clocks.compare([{ who: 'Slack', url: await ask(clocks, aheadS) }]);

    expect(await compare(5)).toMatchObject({ level: 'ok' });
    expect(await compare(-50)).toMatchObject({ level: 'ok' });
    expect(await compare(70)).toMatchObject({
      level: 'error',
      sentence: expect.stringMatching(/^This machine's clock is (69|70|71) s behind that of Slack\. .* NTP\.$/),
    });
    expect(await compare(-3_600)).toMatchObject({
      level: 'error',
      sentence: expect.stringMatching(/^This machine's clock is (3599|3600|3601) s ahead of that of Slack\./),
    });
  });

  it('is held against the first who told the time', async () => {
    const clocks = watchClocks(http);
    const wrong = await ask(clocks, 500);
    const right = await ask(clocks, 0);

    const finding = clocks.compare([
      { who: 'Slack', url: 'https://slack.example/api/' },
      { who: 'the identity provider', url: right },
      { who: 'the assistant service', url: wrong },
    ]);

    expect(finding).toMatchObject({
      level: 'ok',
      sentence: expect.stringContaining('off from that of the identity provider'),
    });
  });

  it('is not held against a page from a cache, nor against nobody', async () => {
    const clocks = watchClocks(http);
    const cached = await ask(clocks, -600, { age: '600' });

    expect(clocks.compare([{ who: 'Slack', url: cached }])).toMatchObject({
      level: 'warning',
      sentence: expect.stringContaining('The clock could not be checked'),
    });
  });
});
