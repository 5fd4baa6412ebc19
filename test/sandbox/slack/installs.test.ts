import { beforeEach, describe, expect, it } from 'vitest';
import { createBrowser } from '../browser.ts';
import { openSlackForEach } from './open-test-app.ts';
import type { Json } from './records.ts';
import type { SandboxTeam } from './sandbox-team.ts';

const REDIRECT = 'http://127.0.0.1:9/slack/oauth_redirect';
const ORGANISATION = { id: 'E0001', name: 'Acme Group' };

const slack = openSlackForEach({ retry: 'none', isInstalled: false });

/** What the app's address is given back once this person has decided. */
async function authorize(user: string, decision: Record<string, string>, team = 'T0001', query = {}) {
  const browser = createBrowser({ stopBefore: (url) => url.startsWith(REDIRECT) });
  await browser.open(`${slack.url}/sandbox/login?user=${user}&team=${team}`);
  const wanted = { client_id: slack.clientId, scope: 'chat:write,users:read', redirect_uri: REDIRECT, state: 's1' };
  await browser.open(`${slack.url}/oauth/v2/authorize?${new URLSearchParams({ ...wanted, ...query })}`);
  if (browser.page.forms.length > 0) await browser.submit(0, decision);
  return browser.page;
}

function access(code: string | null, change: Record<string, string> = {}): Promise<Json> {
  const secrets = { client_id: slack.clientId, client_secret: slack.clientSecret };
  return slack.call('oauth.v2.access', { ...secrets, code: code ?? '', redirect_uri: REDIRECT, ...change });
}

const lastEvent = () => slack.app.events().at(-1);

describe('a token that rotates', () => {
  it('is exchanged once for the next pair, and then works no more, nor does one that has expired', async () => {
    slack.registration.isRotating = true;
    const { searchParams } = new URL((await authorize('U0ANA', { decision: 'allow' })).url);
    const first = await access(searchParams.get('code'));
    const refresh = (refresh_token: unknown) =>
      access(null, { grant_type: 'refresh_token', refresh_token: String(refresh_token) });
    slack.registration.tokenLifeSeconds = 0;
    const second = await refresh(first.refresh_token);

    expect(first).toMatchObject({ access_token: expect.stringMatching(/^xoxe\.xoxb-/), expires_in: 43_200 });
    expect(await refresh(first.refresh_token)).toEqual({ ok: false, error: 'invalid_refresh_token' });
    expect((await slack.call('auth.test', {}, String(first.access_token))).error).toBe('token_revoked');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await slack.call('auth.test', {}, String(second.access_token))).error).toBe('token_expired');
    slack.registration.tokenLifeSeconds = 60;
    const third = await refresh(second.refresh_token);
    expect(await slack.call('auth.test', {}, String(third.access_token))).toMatchObject({ ok: true, team_id: 'T0001' });
  });
});

describe('installing the app', () => {
  it('takes a code once, with the address it was made for and the secret', async () => {
    const codeOf = async () => {
      const page = await authorize('U0ANA', { decision: 'allow' });
      return new URL(page.url).searchParams.get('code');
    };
    const used = await codeOf();
    await access(used);

    const answers = [
      await access(used),
      await access(await codeOf(), { redirect_uri: 'http://127.0.0.1:9/elsewhere' }),
      await access(await codeOf(), { client_secret: 'wrong' }),
    ];

    expect(answers.map(({ error }) => error)).toEqual(['invalid_code', 'bad_redirect_uri', 'bad_client_secret']);
  });

  it.each([
    ['a scope that is not registered', 'U0ANA', { scope: 'admin' }, 'invalid_scope'],
    ['scopes of Sign in with Slack', 'U0ANA', { user_scope: 'openid,email' }, 'invalid_scope: openid, email cannot'],
    ['them as bot scopes', 'U0ANA', { scope: 'chat:write,openid' }, 'invalid_scope: openid cannot'],
    ['a foreign address', 'U0ANA', { redirect_uri: 'https://evil.example/' }, 'bad_redirect_uri'],
    ['another app', 'U0ANA', { client_id: '9.9' }, 'invalid_client_id'],
    ['a guest', 'U0GUEST', {}, 'You may not install apps'],
  ])('refuses %s on a page of its own', async (_, user, query, words) => {
    const page = await authorize(user, {}, 'T0001', query);

    expect(page.url).toContain(slack.url);
    expect(page.html).toContain(words);
  });

  it('refuses a manifest that asks for scopes of Sign in with Slack with others', () => {
    const oauth_config = { scopes: { bot: ['chat:write'], user: ['openid'] } };

    expect(() => slack.connectApp(slack.app.url, { oauth_config })).toThrow('combines openid with bot scopes');
  });

  it('keeps the token of an installation that is repeated, and makes a new one after its end', async () => {
    const first = slack.install();
    const again = slack.install();
    await slack.uninstall();
    const later = slack.install();

    expect(again).toBe(first);
    expect(later).not.toBe(first);
  });
});

describe('several teams', () => {
  let other: SandboxTeam;

  beforeEach(() => {
    other = slack.addTeam({ id: 'T0002' });
    slack.install();
    other.install();
  });

  it('send nothing where the app is not installed', async () => {
    await other.uninstall({ events: [] });
    const before = slack.app.requests.length;

    await other.as('U0ANA').say('C0GENERAL', `${slack.mention} hello?`);

    expect(slack.app.requests).toHaveLength(before);
    await expect(other.as('U0ANA').command('/x', '', 'C0GENERAL')).rejects.toThrow('not a valid command');
  });
});

describe('the end of an installation', () => {
  it('ends the token and is told', async () => {
    const token = slack.install();

    await slack.uninstall();

    expect(await slack.call('auth.test', {}, token)).toEqual({ ok: false, error: 'account_inactive' });
    const told = slack.app.events().map(({ event }) => event.type);
    expect(told.toSorted()).toEqual(['app_uninstalled', 'tokens_revoked']);
    expect(lastEvent()).toMatchObject({ team_id: 'T0001', event_time: expect.any(Number) });
    expect(lastEvent()).not.toHaveProperty('authorizations');
  });
});

describe('an organisation', () => {
  let one: SandboxTeam;
  let two: SandboxTeam;

  beforeEach(() => {
    one = slack.addTeam({ id: 'T0011', name: 'North', enterprise: ORGANISATION });
    two = slack.addTeam({ id: 'T0012', name: 'South', enterprise: ORGANISATION });
    two.workspace.addUser({ id: 'U0SOUTH', name: 'sue', realName: 'Sue South' });
    two.workspace.addChannel({ id: 'C0SOUTH', name: 'south', members: ['U0SOUTH', 'U0BRIDGE'] });
  });

  it('is not offered to others, nor where the app is not made for it', async () => {
    await expect(authorize('U0KIM', { decision: 'allow', where: 'enterprise' }, 'T0011')).rejects.toThrow('not offer');

    one.workspace.changeUser('U0KIM', { isOrgOwner: true });
    slack.registration.isOrgReady = false;
    await expect(authorize('U0KIM', { decision: 'allow', where: 'enterprise' }, 'T0011')).rejects.toThrow('not offer');
  });

  it('has one token for all of its teams, which has to name the team where nothing else does', async () => {
    const token = one.install('enterprise');

    const posted = await slack.call('chat.postMessage', { channel: 'C0SOUTH', text: 'x' }, token);
    const person = await slack.call('users.info', { user: 'U0SOUTH' }, token);
    const unnamed = await slack.call('usergroups.users.list', { usergroup: 'S0ADMINS' }, token);
    const named = await slack.call('usergroups.users.list', { usergroup: 'S0ADMINS', team_id: 'T0012' }, token);

    expect(posted).toMatchObject({ ok: true });
    expect(two.as('U0SOUTH').sees('C0SOUTH')).toHaveLength(1);
    expect(person).toMatchObject({ user: { team_id: 'T0012', enterprise_user: { enterprise_id: 'E0001' } } });
    expect(unnamed).toEqual({ ok: false, error: 'missing_argument' });
    expect(named).toEqual({ ok: true, users: ['U0KIM'] });
  });
});
