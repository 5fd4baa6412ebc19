import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../src/http/http-client.ts';
import { createLog } from '../../src/log.ts';
import { createResponder } from '../../src/slack/bolt-app.ts';
import { findClosedUrl, type Loopback, listen } from '../http/loopback.ts';

let http: HttpClient;
let slack: Loopback;
let status: number;
let bodies: string[];
let logged: string[];

beforeEach(async () => {
  status = 200;
  bodies = [];
  logged = [];
  http = createHttpClient();
  slack = await listen(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk));
    response.writeHead(status).end('used_url');
  });
});

afterEach(async () => {
  await http.close();
  await slack.close();
});

const respond = (url: string, apiUrl = `${slack.url}/api/`) =>
  createResponder({ http, apiUrl, log: createLog('info', { write: (line) => void logged.push(line) }) })(url, {
    text: 'hello',
  });

describe('a response_url', () => {
  it('takes a message', async () => {
    expect(await respond(`${slack.url}/response/secret`)).toBe(true);

    expect(bodies).toEqual(['{"text":"hello"}']);
  });

  it('that is used up says so, and is not logged', async () => {
    status = 404;

    expect(await respond(`${slack.url}/response/secret`)).toBe(false);

    expect(logged.join()).toContain('"status":404');
    expect(logged.join()).not.toContain('secret');
  });

  it('that cannot be reached is a message that did not arrive', async () => {
    const closed = await findClosedUrl();

    expect(await respond(`${closed}/response/secret`, `${closed}/api/`)).toBe(false);

    expect(logged.join()).toContain('response url not reached');
    expect(logged.join()).not.toContain('secret');
  });

  it.each(['', 'nothing', 'file:///etc/passwd'])('is written to in Slack alone: not %j', async (url) => {
    expect(await respond(url)).toBe(false);
  });

  it('of another host is not written to', async () => {
    expect(await respond(`${slack.url}/response/secret`, 'https://slack.com/api/')).toBe(false);

    expect(bodies).toEqual([]);
  });
});
