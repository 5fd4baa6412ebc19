import { createHash } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../src/errors.ts';
import { english } from '../../src/languages/english.ts';
import { german } from '../../src/languages/german.ts';
import { ANA_TICKET, shareLinkWorld, startLinkWorld } from './link-world.ts';

/** Ben reads German, everybody else English. */
const world = shareLinkWorld({
  describePerson: async (user) => `<b>${user}</b> & "co"`,
  languages: { U0BEN: 'de' },
});

async function newTicket(): Promise<string> {
  return new URL(await world.flow.issueTicket(ANA_TICKET)).searchParams.get('ticket') ?? '';
}

const FORM = 'application/x-www-form-urlencoded';

/** Sends the form as told, with the headers of no browser unless given. `self`: our own address. */
function post(ticket: string, given: Record<string, string>, body = new URLSearchParams({ ticket }).toString()) {
  const headers = Object.entries(given).map(([name, value]) => [name, value === 'self' ? world.publicUrl : value]);
  type Answer = { status: number; html: string; setCookie: string[] } & Pick<
    IncomingHttpHeaders,
    'connection' | 'location'
  >;
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(
      `${world.serverUrl}/link/start`,
      { method: 'POST', headers: { 'content-type': FORM, ...Object.fromEntries(headers) } },
      async (answer) => {
        const html = await text(answer);
        const { connection, location, 'set-cookie': setCookie = [] } = answer.headers;
        resolve({ status: answer.statusCode ?? 0, html, setCookie, connection, location });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('the form', () => {
  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['an older browser on another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['no browser', {}],
    ['a browser whose two headers disagree', { 'sec-fetch-site': 'cross-site', origin: 'self' }],
  ])('is refused from %s, and the ticket stays unused', async (_who, headers) => {
    const ticket = await newTicket();

    const answer = await post(ticket, headers);

    expect(answer).toMatchObject({ status: 403, setCookie: [] });
    expect(answer.html).toContain('This form came from another site');
    expect(await world.flow.preview(ticket)).toBeTruthy();
  });

  it.each([
    ['a browser', { 'sec-fetch-site': 'same-origin' }],
    ['an older browser', { origin: 'self' }],
  ])('is taken from our own page in %s', async (_who, headers) => {
    const answer = await post(await newTicket(), headers);

    expect(answer.status).toBe(303);
    expect(answer.setCookie).toEqual([
      expect.stringMatching(/^link=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it.each([
    ['is larger than 16 KB', { 'content-type': FORM }, `ticket=${'a'.repeat(200_000)}`],
    ['is JSON', { 'content-type': 'application/json' }, '{"ticket":"x"}'],
    ['is of no type', { 'content-type': '' }, 'ticket=x'],
  ])('is refused where it %s', async (_what, headers, body) => {
    const answer = await post('', { 'sec-fetch-site': 'same-origin', ...headers }, body);

    expect(answer.status).toBe(400);
    expect(answer.html).toContain('What to do:');
    // The rest of what was not read is no request.
    if (body.length > 16_000) expect(answer.connection).toBe('close');
  });

  it('leads one browser to the same page however often it is sent, and no other browser', async () => {
    const countSteps = () => world.rows('once').filter(({ key }) => String(key).startsWith('once:link-step:')).length;
    const [ticket, before] = [await newTicket(), countSteps()];
    const headers = { 'sec-fetch-site': 'same-origin' };
    const ours = { ...headers, cookie: `link=${'a'.repeat(43)}` };

    const answers = await Promise.all(Array.from({ length: 8 }, () => post(ticket, ours)));
    const late = await post(ticket, ours);
    const others = [await post(ticket, headers), await post(ticket, { ...headers, cookie: `link=${'b'.repeat(43)}` })];

    expect(new Set([...answers, late].map(({ status }) => status))).toEqual(new Set([303]));
    expect(new Set([...answers, late].map(({ location }) => location)).size).toBe(1);
    expect(others.map(({ status, location }) => [status, location])).toEqual([
      [403, undefined],
      [403, undefined],
    ]);
    expect(countSteps()).toBe(before + 1);
  });

  it('falls back to what was proposed where the choice is unknown', async () => {
    const ticket = await newTicket();
    const body = new URLSearchParams({ ticket, channelAnswers: 'everywhere' }).toString();

    expect((await post(ticket, { 'sec-fetch-site': 'same-origin' }, body)).status).toBe(303);
  });

  it('says how to begin again where Slack cannot be reached: with a new link', async () => {
    const other = await startLinkWorld();
    await other.slack.close();
    const browser = createBrowser();
    const url = await other.flow.issueTicket(ANA_TICKET);
    await browser.open(url);

    const page = await browser.submit();

    expect(page).toMatchObject({ status: 503, heading: 'Slack cannot be reached' });
    expect(page.text).toContain('press Sign in in Slack again, or type /assistant sign-in');
    expect((await browser.open(url)).status).toBe(410);
    expect((await browser.open(await other.flow.issueTicket(ANA_TICKET))).status).toBe(200);
    await other.close().catch(() => undefined);
  });

  it('says how to begin again where the store fails once the ticket is used up', async () => {
    const other = await startLinkWorld();
    const browser = createBrowser();
    await browser.open(await other.flow.issueTicket(ANA_TICKET));
    other.once.put = () => Promise.reject(new StoreUnavailableError('no answer'));

    const page = await browser.submit();

    expect(page).toMatchObject({ status: 503, heading: 'The sign-in cannot be used right now' });
    expect(page.text).toContain('ask for a new link in Slack');
    await other.close();
  });
});

describe('every page', () => {
  it('says what it may do: nothing', async () => {
    const page = await createBrowser().open(`${world.publicUrl}/link/start?ticket=unknown`);

    expect(page.status).toBe(410);
    expect(world.results.at(-1)).toBe('expired');
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers['strict-transport-security']).toBeUndefined();
  });

  it('has one style, the one that its policy names', async () => {
    const page = await createBrowser().open(`${world.publicUrl}/link/start`);
    const style = /<style>([\s\S]*)<\/style>/.exec(page.html)?.[1] ?? '';

    const hash = createHash('sha256').update(style).digest('base64');

    expect(page.headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
    expect(page.html).not.toContain('style=');
  });

  it('lets its form lead to the two places it leads to, and tells them nothing', async () => {
    const page = await createBrowser().open(await world.flow.issueTicket(ANA_TICKET));

    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain(`form-action 'self' https: ${world.slack.url} ${world.provider.url};`);
    expect(page.headers['referrer-policy']).toBe('same-origin');
  });

  it('escapes the name of a person', async () => {
    const { html } = await createBrowser().open(await world.flow.issueTicket(ANA_TICKET));

    expect(html).toContain('&lt;b&gt;U0ANA&lt;/b&gt; &amp; &quot;co&quot;');
    expect(html).not.toContain('<b>U0ANA');
  });

  it('shows the user id where the name cannot be read', async () => {
    const other = await startLinkWorld({ describePerson: () => Promise.reject(new Error('users.info')) });

    const page = await createBrowser().open(await other.flow.issueTicket(ANA_TICKET));

    expect(page.text).toContain('U0ANA');
    await other.close();
  });
});

describe('the language of a page', () => {
  const { pages } = german.refusals;
  const read = (html: string) => [/<html lang="(\w+)">/.exec(html)?.[1], /<h1>(.*)<\/h1>/.exec(html)?.[1]];

  it.each<[string, keyof typeof pages, slackUser: string, account: string]>([
    ['the account is of another organisation', 'other_tenant', 'U0BEN', 'zoe'],
    ['somebody else opens it, who reads English: it is not their sign-in', 'wrong_person', 'U0ANA', 'ben'],
  ])('is that of whose sign-in it is, where %s', async (_, refusal, slackUser, account) => {
    const browser = await world.openBrowser(slackUser, account);
    await browser.open(await world.flow.issueTicket({ ...ANA_TICKET, person: { team: 'T0001', user: 'U0BEN' } }));

    expect(read((await browser.submit()).html)).toEqual(['de', pages[refusal].title]);
  });

  it.each([
    ['start?ticket=made-up', 'de-AT,de;q=0.9,en;q=0.5', 'de', pages.ticket_unknown.title],
    ['start?ticket=made-up', 'en-GB,en;q=0.9,de;q=0.5', 'en', english.refusals.pages.ticket_unknown.title],
    ['start?ticket=made-up', 'fr-FR', 'en', english.refusals.pages.ticket_unknown.title],
    ['nowhere', '', 'en', english.refusals.pages.not_found.title],
  ])('is that of the browser where nobody knows whose it is: /link/%s, %s', async (path, wanted, language, title) => {
    const answer = await fetch(`${world.publicUrl}/link/${path}`, { headers: { 'accept-language': wanted } });

    expect(read(await answer.text())).toEqual([language, title]);
  });
});

describe('addresses', () => {
  it.each(['/link/', '/link/elsewhere', '/link/start/', '/link/__proto__', '//link/start'])(
    '%s is no page, and its page says what to do',
    async (path) => {
      const page = await createBrowser().open(`${world.publicUrl}${path}`);

      expect(page.status).toBe(404);
      expect(page.text).toContain('What to do:');
    },
  );

  it.each([
    ['PUT', '/link/start', 'GET, HEAD, POST'],
    ['HEAD', '/link/account/callback', 'GET'],
    ['POST', '/link/slack/callback', 'GET'],
  ])('%s %s is not allowed', async (method, path, allow) => {
    const answer = await fetch(`${world.publicUrl}${path}`, { method });

    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
  });
});

it.each([
  ['the store cannot be read', new StoreUnavailableError('disk full'), 503],
  ['there is a bug', new Error('secret detail'), 500],
])('a failure of ours becomes a page where %s', async (_what, error, status) => {
  const other = await startLinkWorld();
  other.once.peek = () => Promise.reject(error);

  const page = await createBrowser().open(await other.flow.issueTicket(ANA_TICKET));

  expect(page.status).toBe(status);
  expect(page.text).toContain('What to do:');
  expect(page.html).not.toContain(error.message);
  expect(other.logged.join('')).toContain(error.message);
  await other.close();
});

it('over https uses a cookie that only this host can set, and asks browsers to stay on https', async () => {
  const publicUrl = 'https://bridge.example';
  const other = await startLinkWorld({ publicUrl });
  const url = new URL(await other.flow.issueTicket(ANA_TICKET));

  const page = await fetch(`${other.serverUrl}${url.pathname}${url.search}`);
  const answer = await fetch(`${other.serverUrl}/link/start`, {
    method: 'POST',
    body: new URLSearchParams(url.search),
    headers: { origin: publicUrl },
    redirect: 'manual',
  });

  expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect(await page.text()).toContain('action="https://bridge.example/link/start"');
  expect(answer.status).toBe(303);
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-link=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  );
  const redirectUri = new URL(answer.headers.get('location') ?? '').searchParams.get('redirect_uri');
  expect(redirectUri).toBe('https://bridge.example/link/slack/callback');
  await other.close();
});
