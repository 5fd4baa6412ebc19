import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../src/http/http-client.ts';
import { createLog } from '../../../src/log.ts';
import { createResponder } from '../../../src/slack/bolt-app.ts';
import { createSlackClient } from '../../../src/slack/web/client.ts';
import { orRefusedForm, SlackRefusedError } from '../../../src/slack/web/slack-errors.ts';
import { findClosedUrl, type Loopback, listen } from '../../http/loopback.ts';

const log = createLog('info', { write: (line) => void logged.push(line) });

let http: HttpClient;
let slack: Loopback;
/** The addresses of all calls. */
let asked: string[];
/** What every call is answered with that names a channel called bad, and every post to a response_url. */
let failure: { status: number; body: string };
/** What was posted to response_urls, and what was logged. */
let posted: string[];
let logged: string[];

/** Never answers auth.test. */
beforeEach(async () => {
  http = createHttpClient();
  asked = [];
  posted = [];
  logged = [];
  slack = await listen(async (request, response) => {
    const { url = '' } = request;
    asked.push(url);
    if (url.endsWith('auth.test')) return;
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const isResponse = url.startsWith('/response/');
    if (isResponse) posted.push(body);
    const isBad = body.includes('bad') || isResponse;
    response.writeHead(isBad ? failure.status : 200).end(isBad ? failure.body : '{"ok":true,"ts":"1.1"}');
  });
});

afterEach(async () => {
  await http.close();
  await slack.close();
});

const respond = (url: string, apiUrl = `${slack.url}/api/`) =>
  createResponder({ http, apiUrl, log })(url, { text: 'hello' });

const BOT = { workspace: 'T1', botToken: 'xoxb' };

const createCall = (more: Partial<Parameters<typeof createSlackClient>[0]> = {}) =>
  createSlackClient({ http, apiUrl: `${slack.url}/`, now: Date.now, log, ...more });

describe('a call of Slack', () => {
  it('ends when its caller breaks it off, and nobody knows what became of it', async () => {
    const counted: string[] = [];
    const call = createCall({ onCall: (method, code) => void counted.push(`${method} ${code}`) });
    const asking = call('auth.test', BOT, {}, 'answer', AbortSignal.timeout(100));

    await expect(asking).rejects.toMatchObject({ code: 'outcome_unknown', reason: 'aborted' });
    expect(counted).toEqual(['auth.test outcome_unknown']);
  });

  it('that waits for a budget is broken off, too, before Slack hears of it', async () => {
    const call = createCall({ buckets: { take: async () => 1_000, block: async () => undefined } });
    const asking = call('users.info', BOT, { user: 'U1' }, 'answer', AbortSignal.timeout(50));

    await expect(asking).rejects.toMatchObject({ code: 'slack_unavailable' });
    expect(asked).toEqual([]);
  });
});

describe('a failure of Slack', () => {
  const DOWN = { status: 503, body: '{"ok":false,"error":"service_unavailable"}' };
  const GONE = { status: 500, body: '{"ok":false,"error":"channel_not_found"}' };

  it.each([
    ['internal_error', 'outcome_unknown'],
    ['team_added_to_org', 'slack_unavailable'],
    ['org_login_required', 'slack_unavailable'],
    ['not_in_channel', 'slack_refused'],
  ])('that is answered %s ends with %s', async (error, code) => {
    failure = { status: 200, body: JSON.stringify({ ok: false, error }) };

    const posting = createCall()('chat.postMessage', BOT, { channel: 'bad', text: 'hello' });

    await expect(posting).rejects.toMatchObject({ code });
  });

  it.each([
    ['in one channel stops no other', { status: 500, body: '' }, 1, 'T1', true],
    ['in several stops the others of the workspace', DOWN, 4, 'T1', false],
    ['in several channels of one workspace stops no other workspace', DOWN, 10, 'T2', true],
    ['that says why not is a refusal, in however many channels', GONE, 10, 'T1', true],
  ])('%s', async (_, answer, channels, workspace, goesOn) => {
    failure = answer;
    const call = createCall();
    const post = (channel: string, workspace = 'T1') =>
      call('chat.postMessage', { ...BOT, workspace }, { channel, text: 'hello' });

    for (let count = 0; count < 30; count++) await post(`bad ${count % channels}`).catch(() => undefined);

    const posting = post('fine', workspace);
    if (goesOn) expect(await posting).toMatchObject({ ok: true });
    else await expect(posting).rejects.toMatchObject({ code: 'slack_unavailable' });
  });

  it('at response_urls alone stops nothing', async () => {
    failure = { status: 500, body: '' };

    for (let count = 0; count < 30; count++) await respond(`${slack.url}/response/${count}`);

    expect(await createCall()('chat.postMessage', BOT, { channel: 'fine', text: 'hello' })).toMatchObject({
      ok: true,
    });
  });
});

it.each([
  ['is no message that nobody could find', 'chat.postMessage', { channel: 'bad', text: 'hello' }],
  ['is no empty thread', 'conversations.replies', { channel: 'bad', ts: '1.1' }],
  ['makes nobody a stranger', 'users.info', { user: 'bad' }],
  ['makes no channel one that nobody else reads', 'conversations.info', { channel: 'bad' }],
  ['is no channel without guests', 'conversations.members', { channel: 'bad' }],
] as const)('an answer of Slack without what was asked for %s', async (_, method, args) => {
  failure = { status: 200, body: '{"ok":true}' };

  await expect(createCall()(method, BOT, args as never)).rejects.toMatchObject({ code: 'outcome_unknown' });
});

describe('a response_url', () => {
  it.each([
    [200, true],
    [404, false],
  ])('takes a message, or says that it is used up, and is not logged: %i', async (status, isTaken) => {
    failure = { status, body: 'used_url' };

    expect(await respond(`${slack.url}/response/secret`)).toBe(isTaken);

    expect(posted).toEqual(['{"text":"hello"}']);
    expect(logged.join().includes('"status":404')).toBe(!isTaken);
    expect(logged.join()).not.toContain('secret');
  });

  it('that cannot be reached is a message that did not arrive', async () => {
    const closed = await findClosedUrl();

    expect(await respond(`${closed}/response/secret`, `${closed}/api/`)).toBe(false);

    expect(logged.join()).toContain('response url not reached');
    expect(logged.join()).not.toContain('secret');
  });

  it.each([
    ['https://hooks.slack.com/actions/T1/1/x', true],
    ['https://hooks.slack-gov.com/actions/T1/1/x', true],
    ['https://slack.example/response/1', true],
    ['http://hooks.slack.com/actions/T1/1/x', false],
    ['https://hooks.slack.com:444/actions/T1/1/x', false],
    ['https://hooks.slack.com.evil.example/actions/T1/1/x', false],
    ['https://hooks.slack.com@evil.example/actions/T1/1/x', false],
    ['https://evil.example/https://hooks.slack.com/', false],
    ['https://files.slack.com/x', false],
    ['file:///etc/passwd', false],
    ['nothing', false],
    ['', false],
  ])('is written to in Slack, or where SLACK_API_URL is, alone: %j %s', async (url, isAllowed) => {
    const sent: string[] = [];
    const send: HttpClient['send'] = async (request) => {
      sent.push(request.url);
      throw new Error('nothing is sent');
    };
    const answer = createResponder({ http: { ...http, send }, apiUrl: 'https://slack.example/api/', log })(url, {});

    expect(await answer).toBe(false);

    expect(sent).toEqual(isAllowed ? [url] : []);
  });
});

it.each([
  ['msg_blocks_too_long', 'form_refused'],
  ['invalid_blocks_format', 'form_refused'],
  ['no_text', 'form_refused'],
  ['attachment_payload_limit_exceeded', 'form_refused'],
  ['a_new_word', 'form_refused'],
  ['invalid_auth', 'slack_refused'],
  ['token_revoked', 'slack_refused'],
  ['missing_scope', 'slack_refused'],
  ['account_inactive', 'slack_refused'],
  ['team_access_not_granted', 'slack_refused'],
])('a refused message with %s is about its form, or about us: %s', (slackError, code) => {
  expect(orRefusedForm(new SlackRefusedError('chat.postMessage', slackError))).toMatchObject({ code });
});
