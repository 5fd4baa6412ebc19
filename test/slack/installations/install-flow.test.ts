import { type Browser, createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InstallWorld, startInstallWorld } from './install-world.ts';

const ORGANISATION = { id: 'E0001', name: 'Acme <Group>' };
const TEN_MINUTES_MS = 10 * 60_000;

let world: InstallWorld;

beforeEach(async () => {
  world = await startInstallWorld();
});

afterEach(() => world.close());

const postFrom = (site: string) =>
  fetch(world.installUrl, { method: 'POST', headers: { 'sec-fetch-site': site }, redirect: 'manual' });

/** From a page that says why, through Slack's, to the last one. */
async function goOn(browser: Browser): Promise<void> {
  await browser.submit();
  await browser.submit(0, { decision: 'allow' });
}

const UNAVAILABLE = { status: 503, heading: 'The assistant cannot be installed right now' };

describe('installing the app in a workspace', () => {
  it('ends with a page that names it, and the token sealed in the store', async () => {
    const browser = await world.install(await world.browserOf('U0KIM'));

    expect(browser.page).toMatchObject({ status: 200, heading: 'The assistant is installed' });
    expect(browser.page.text).toContain('the workspace Acme (T0001)');
    const stored = await world.store.get('T0001');
    expect(stored).toMatchObject({
      schema: 1,
      workspace: 'T0001',
      team: 'T0001',
      isOrganisation: false,
      botId: 'B0BRIDGE',
      botUserId: 'U0BRIDGE',
      installedBy: 'U0KIM',
      installedAt: expect.any(Number),
    });
    expect(JSON.stringify(stored)).not.toContain(world.slack.token());
    expect((await world.installations.find('T0001')).botToken).toBe(world.slack.token());
    expect(world.announced).toEqual(['T0001']);
  });

  it('asks for the scopes of the manifest, and comes back to the address that is registered', async () => {
    const browser = await world.browserOf('U0KIM');
    const state = await world.begin(browser);

    const { searchParams, origin, pathname } = new URL(browser.page.url);
    expect(origin + pathname).toBe(`${world.slack.url}/oauth/v2/authorize`);
    expect(searchParams.get('redirect_uri')).toBe(world.redirectUrl);
    expect(searchParams.get('scope')?.split(',')).toContain('app_mentions:read');
    expect(searchParams.has('user_scope')).toBe(false);
    expect(state).toMatch(/^v1\.k1\.[\w.-]{100,250}$/);
  });

  it('keeps nothing until Slack has taken the code, then the used state, hashed, for ten minutes', async () => {
    const browser = await world.browserOf('U0KIM');
    const state = await world.begin(browser);

    expect(state).not.toBe('');
    expect(world.rows('once')).toEqual([]);
    expect(browser.cookies.get(world.installUrl, 'install')).toMatchObject({ isHttpOnly: true, isSecure: true });
    expect(browser.cookies.refused).toEqual([]);

    await browser.submit(0, { decision: 'allow' });
    const [{ key, expires_at: expiresAt } = {}, ...others] = world.rows('once');
    expect(others).toEqual([]);
    expect(key).toMatch(/^once:install-state:/);
    expect(key).not.toContain(state);
    expect(expiresAt).toBeGreaterThan(Date.now() + TEN_MINUTES_MS - 60_000);
    expect(browser.cookies.get(world.installUrl, 'install')).toBeUndefined();
  });

  it('is bound to a cookie that other sites cannot have sent, except by leading there', async () => {
    const begun = await postFrom('same-origin');

    expect(begun.status).toBe(302);
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^install=v1\.k1\.[\w.-]{100,250}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/),
    ]);
  });

  it('again takes the place of the first installation', async () => {
    await world.install(await world.browserOf('U0KIM'));
    const first = (await world.store.get('T0001'))?.installedAt ?? 0;
    world.clock.skewMs = 60_000;

    await world.install(await world.browserOf('U0ANA'));

    expect(await world.store.get('T0001')).toMatchObject({ installedBy: 'U0ANA' });
    expect((await world.store.get('T0001'))?.installedAt).toBeGreaterThan(first);
  });
});

describe('a workspace that is not allowed', () => {
  it('is refused by its id, and the app is removed there again', async () => {
    const other = world.slack.addTeam({ id: 'T0002', name: 'Other' });

    const browser = await world.install(await world.browserOf('U0KIM', 'T0002'));

    expect(browser.page).toMatchObject({ status: 403, heading: 'The assistant may not be added there' });
    expect(browser.page.text).toContain('add T0002 to SLACK_ALLOWED_TEAMS');
    expect(browser.page.text).toContain('The app was removed there again');
    expect(await world.store.list()).toEqual([]);
    expect(other.token()).toBeUndefined();
    expect(world.slack.ledger.calls('apps.uninstall')).toMatchObject([{ installedIn: 'T0002' }]);
  });

  it('has its token revoked where Slack does not let us remove the app', async () => {
    const other = world.slack.addTeam({ id: 'T0002', name: 'Other' });
    world.slack.faults.next('apps.uninstall', { kind: 'slackError', error: 'is_bot' });

    const browser = await world.install(await world.browserOf('U0KIM', 'T0002'));

    expect(browser.page.text).toContain('Remove it there');
    expect(other.token()).toBeUndefined();
    expect(await world.store.list()).toEqual([]);
  });

  it('is not allowed by another team of its organisation, but is by the organisation', async () => {
    const team = world.slack.addTeam({ id: 'T0011', name: 'North', enterprise: ORGANISATION });
    world.allowed.splice(0, 1, 'T0012');
    const refused = await world.install(await world.browserOf('U0KIM', 'T0011'));
    world.allowed.push('E0001');
    const accepted = await world.install(await world.browserOf('U0KIM', 'T0011'));

    expect(refused.page.status).toBe(403);
    expect(accepted.page.status).toBe(200);
    expect(await world.store.get('T0011')).toMatchObject({ team: 'E0001', isOrganisation: false });
    expect((await world.installations.find('T0011')).botToken).toBe(team.token());
  });
});

describe('a whole organisation', () => {
  beforeEach(() => {
    const { workspace } = world.slack.addTeam({ id: 'T0011', name: 'North', enterprise: ORGANISATION });
    workspace.changeUser('U0KIM', { isOrgOwner: true });
  });

  const decision = { decision: 'allow', where: 'enterprise' };

  it('is kept under its own id, and the page says what is left to do', async () => {
    world.allowed.push('E0001');

    const browser = await world.install(await world.browserOf('U0KIM', 'T0011'), decision);

    expect(browser.page.text).toContain('the organisation Acme <Group> (E0001)');
    expect(browser.page.text).toContain('One more step');
    expect(await world.store.get('E0001')).toMatchObject({ workspace: 'E0001', team: 'E0001', isOrganisation: true });
    expect(await world.installations.find('T0099', 'E0001')).toMatchObject({ workspace: 'E0001' });
  });

  it('is not allowed by one of its teams', async () => {
    world.allowed.push('T0011');

    const browser = await world.install(await world.browserOf('U0KIM', 'T0011'), decision);

    expect(browser.page.status).toBe(403);
    expect(browser.page.text).toContain('add E0001 to SLACK_ALLOWED_TEAMS');
  });
});

// More of them are in ../../end-to-end/canary-installation.test.ts.
describe('an installation ends with a page that says why, where', () => {
  const arriveWith = async (query: Record<string, string>) =>
    createBrowser().open(`${world.redirectUrl}?${new URLSearchParams(query)}`);

  it('Slack refuses, whose reason is logged and not shown', async () => {
    world.slack.faults.next('oauth.v2.access', { kind: 'slackError', error: 'bad_client_secret' });

    const browser = await world.install(await world.browserOf('U0KIM'));

    expect(browser.page).toMatchObject({ status: 502, heading: 'Slack refused the installation' });
    expect(browser.page.html).not.toContain('bad_client_secret');
    expect(world.lines.join()).toContain('bad_client_secret');
  });

  it('Slack does not take the token, or the store cannot be written, and goes on from there', async () => {
    world.slack.faults.next('auth.test', { kind: 'resetBeforeProcessing' });
    const browser = await world.install(await world.browserOf('U0KIM'));
    const untaken = browser.page;
    world.outage.isOn = true;
    await goOn(browser);

    for (const page of [untaken, browser.page]) expect(page).toMatchObject(UNAVAILABLE);
    expect(await world.store.list()).toEqual([]);
    world.outage.isOn = false;
    await goOn(browser);
    expect(browser.page.heading).toBe('The assistant is installed');
  });

  it('more than ten minutes have passed, and goes on from there', async () => {
    const browser = await world.browserOf('U0KIM');
    await world.begin(browser);
    world.clock.skewMs = TEN_MINUTES_MS + 1;
    await browser.submit(0, { decision: 'allow' });
    expect(browser.page.heading).toBe('This step is over');
    expect(await world.store.list()).toEqual([]);

    world.clock.skewMs = 0;
    await goOn(browser);
    expect(browser.page.heading).toBe('The assistant is installed');
  });

  it('another browser began, which can still finish it', async () => {
    const began = await world.browserOf('U0KIM');
    const state = await world.begin(began);

    const stolen = await arriveWith({ code: 'a-code-of-somebody-else', state });
    await began.submit(0, { decision: 'allow' });

    expect(stolen.heading).toBe('This step is over');
    expect(began.page.heading).toBe('The assistant is installed');
  });

  it.each([
    ['it was begun on a page of Slack’s', { code: 'some-code' }],
    ['the address is opened by hand', {}],
  ])('%s', async (_, query) => {
    const page = await arriveWith(query);

    expect(page).toMatchObject({ status: 400, heading: 'Start the installation here' });
    expect(page.forms).toHaveLength(1);
    expect(world.slack.ledger.calls('oauth.v2.access')).toEqual([]);
  });

  it('Slack sends an error of its own making, which is not repeated', async () => {
    const page = await arriveWith({ error: 'invalid_scope<script>alert(1)</script>', state: 'x' });

    expect(page.heading).toBe('Slack refused the installation');
    expect(page.html + world.lines.join()).not.toContain('alert');
  });

  it.each([
    ['is another app’s', (state: string) => state.replace(/.{30}$/, 'A'.repeat(30))],
    ['names a key that there is not', (state: string) => state.replace('.k1.', '.k9.')],
    ['is nothing of ours', () => 'state'],
  ])('the state %s', async (_, forge) => {
    const [cookie = ''] = (await postFrom('same-origin')).headers.getSetCookie();
    const state = forge(/^install=([^;]+)/.exec(cookie)?.[1] ?? '');

    const page = await fetch(`${world.redirectUrl}?${new URLSearchParams({ code: 'a-code', state })}`, {
      headers: { cookie: `install=${state}` },
    });

    expect(page.status).toBe(410);
    expect(world.slack.ledger.calls('oauth.v2.access')).toEqual([]);
  });

  it('its code is made up, and nothing of it is kept', async () => {
    const browser = await world.browserOf('U0KIM');
    const state = await world.begin(browser);

    await browser.open(`${world.redirectUrl}?${new URLSearchParams({ code: 'made-up', state })}`);

    expect(browser.page.heading).toBe('This step is over');
    expect(world.rows('once')).toEqual([]);
  });

  it('its address is opened often with an error, which is logged once', async () => {
    for (let count = 0; count < 20; count++) await arriveWith({ error: 'invalid_scope' });

    expect(world.lines.filter((line) => line.includes('slack refused the installation'))).toHaveLength(1);
  });
});

describe('the pages', () => {
  it('load nothing, run nothing, are framed and kept by nobody', async () => {
    const browser = createBrowser();
    await browser.open(world.installUrl);

    expect(browser.page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    });
    expect(browser.page.headers['set-cookie']).toBeUndefined();
    expect(world.rows('once')).toEqual([]);
  });

  it.each(['cross-site', 'same-site'])('begin nothing for a form that is %s', async (site) => {
    const answer = await postFrom(site);

    expect(answer.status).toBe(403);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(world.rows('once')).toEqual([]);
  });

  it.each([
    ['PUT', 'installUrl'],
    ['DELETE', 'installUrl'],
    ['POST', 'redirectUrl'],
    ['HEAD', 'redirectUrl'],
  ] as const)('refuse %s on the %s', async (method, url) => {
    const answer = await fetch(`${world[url]}?code=1&state=2`, { method });

    expect(answer.status).toBe(405);
  });
});
