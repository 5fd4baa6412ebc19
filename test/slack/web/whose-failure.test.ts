// Whose failure it is when Slack answers with an error: a channel's, or Slack's.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { createLog } from '../../../src/log.ts';
import { createResponder } from '../../../src/slack/bolt-app.ts';
import { createSlackClient } from '../../../src/slack/web/client.ts';
import type { CallSlack } from '../../../src/slack/web/methods.ts';
import { type Loopback, listen } from '../../http/loopback.ts';

let http: HttpClient;
let slack: Loopback;
let call: CallSlack;
/** What every call is answered with that names a channel called bad, and every post to a response_url. */
let failure: { status: number; body: string };

beforeEach(async () => {
  http = createHttpClient();
  slack = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const isBad = body.includes('bad') || request.url?.startsWith('/response/');
    response.writeHead(isBad ? failure.status : 200).end(isBad ? failure.body : '{"ok":true}');
  });
  call = createSlackClient({ http, apiUrl: `${slack.url}/`, now: Date.now, log: createLog('silent') });
});

afterEach(async () => {
  await http.close();
  await slack.close();
});

const post = (channel: string, token = 'token') => call('chat.postMessage', token, { channel, text: 'hello' });

async function postInVain(channels: number): Promise<void> {
  for (let count = 0; count < 30; count++) await post(`bad ${count % channels}`).catch(() => undefined);
}

describe('a failure of Slack', () => {
  it('in one channel stops no other', async () => {
    failure = { status: 500, body: '' };
    await postInVain(1);

    expect(await post('fine')).toMatchObject({ ok: true });
  });

  it('in several stops the others of the workspace', async () => {
    failure = { status: 503, body: '{"ok":false,"error":"service_unavailable"}' };
    await postInVain(4);

    await expect(post('fine')).rejects.toMatchObject({ code: 'slack_unavailable' });
  });

  it('in several channels of one workspace stops no other workspace', async () => {
    failure = { status: 503, body: '{"ok":false,"error":"service_unavailable"}' };
    await postInVain(10);

    expect(await post('fine', 'token of another')).toMatchObject({ ok: true });
  });

  it('that says why not is a refusal, in however many channels', async () => {
    failure = { status: 500, body: '{"ok":false,"error":"channel_not_found"}' };
    await postInVain(10);

    expect(await post('fine')).toMatchObject({ ok: true });
  });

  it('at response_urls alone stops nothing', async () => {
    failure = { status: 500, body: '' };
    const respond = createResponder({ http, apiUrl: slack.url, log: createLog('silent') });

    for (let count = 0; count < 30; count++) await respond(`${slack.url}/response/${count}`, { text: 'hello' });

    expect(await post('fine')).toMatchObject({ ok: true });
  });
});
