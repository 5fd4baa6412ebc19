import { createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import { type SandboxSlack, startSlack } from '@assistant-bridge/sandbox/slack/start-slack.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../src/http/http-client.ts';
import { createSecret } from '../../src/identity/secret.ts';
import { createSlackSignIn, isSamePerson } from '../../src/identity/slack-sign-in.ts';

const REDIRECT_URI = 'http://127.0.0.1:9/callback';
const http = createHttpClient();
let slack: SandboxSlack;

beforeAll(async () => {
  slack = await startSlack({ autoAllow: true });
});

afterAll(() => Promise.all([slack.close(), http.close()]));

const ANA = { person: { team: 'T0001', user: 'U0ANA' }, workspace: 'T0001' };

function connect(apiUrl = slack.apiUrl, client: { clientId?: string; clientSecret?: string } = {}) {
  return createSlackSignIn({ apiUrl, clientId: slack.clientId, clientSecret: slack.clientSecret, ...client, http });
}

function newStep() {
  return { redirectUri: REDIRECT_URI, state: createSecret(), nonce: createSecret(), codeVerifier: createSecret() };
}

async function visit(signIn: ReturnType<typeof connect>, step: ReturnType<typeof newStep>, team = 'T0001') {
  const browser = createBrowser({ stopBefore: (url) => url.startsWith(REDIRECT_URI) });
  await browser.open(`${slack.url}/sandbox/login?user=U0ANA&team=${team}`);
  const page = await browser.open(await signIn.buildSignInUrl('T0001', step));
  return new URL(page.url).searchParams;
}

describe('createSlackSignIn', () => {
  it.each([
    ['the person', ANA, true],
    ['somebody else', { ...ANA, person: { team: 'T0001', user: 'U0BEN' } }, false],
  ])('says whether the browser is signed in as who asked: %s', async (_who, ticket, expected) => {
    const signIn = connect();
    const step = newStep();

    expect(await signIn.finish(await visit(signIn, step), step, ticket)).toBe(expected);
  });

  describe('in an organisation, which the id token does not name', () => {
    const ofOrganisation = (team: string, workspace: string) => ({ person: { team, user: 'U0ANA' }, workspace });

    beforeAll(() => {
      slack.addTeam({ id: 'T0011', name: 'North', enterprise: { id: 'E0001', name: 'Acme Group' } });
      slack.addTeam({ id: 'T0012', name: 'South', enterprise: { id: 'E0001', name: 'Acme Group' } });
    });

    it.each([
      ['knows the person in an app installed for all of it', 'T0011', ofOrganisation('E0001', 'E0001'), true, 1],
      ['knows the person in another of its teams', 'T0012', ofOrganisation('E0001', 'T0011'), true, 1],
      ['asks nothing more in the team that has the app', 'T0011', ofOrganisation('E0001', 'T0011'), true, 0],
      ['refuses the same user id in another organisation', 'T0011', ofOrganisation('E0002', 'E0002'), false, 1],
      ['refuses the same user id outside of any', 'T0001', ofOrganisation('E0001', 'E0001'), false, 1],
    ])('%s', async (_what, team, ticket, expected, calls) => {
      const signIn = connect();
      const step = newStep();
      slack.ledger.clear();

      const isPerson = await signIn.finish(await visit(signIn, step, team), step, ticket);

      expect(isPerson).toBe(expected);
      expect(slack.ledger.calls('openid.connect.userInfo')).toHaveLength(calls);
    });

    it('links nobody where Slack does not tell the organisation', async () => {
      const signIn = connect();
      const step = newStep();
      const callback = await visit(signIn, step, 'T0012');
      slack.faults.next('openid.connect.userInfo', { kind: 'slackError', error: 'internal_error' });

      await expect(signIn.finish(callback, step, ofOrganisation('E0001', 'T0011'))).rejects.toMatchObject({
        reason: 'slack_unavailable',
      });
    });
  });

  it.each([
    ['SLACK_CLIENT_SECRET', { clientSecret: 'of-another-app' }, 'bad_client_secret'],
    ['SLACK_CLIENT_ID', { clientId: '1.2' }, 'invalid_client_id'],
  ])('names %s where it is wrong', async (variable, client, slackError) => {
    const step = newStep();
    const callback = await visit(connect(), step);

    await expect(connect(slack.apiUrl, client).finish(callback, step, ANA)).rejects.toMatchObject({
      fault: { variable, slackError },
    });
  });

  it('asks for nothing but the identity, in the workspace where it was asked for', async () => {
    const url = new URL(await connect().buildSignInUrl('T0001', newStep()));

    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope: 'openid',
      team: 'T0001',
      response_type: 'code',
      code_challenge_method: 'S256',
    });
  });

  it.each(['state', 'nonce', 'codeVerifier'] as const)('refuses an answer to another %s', async (part) => {
    const signIn = connect();
    const step = newStep();
    const callback = await visit(signIn, step);

    await expect(signIn.finish(callback, { ...step, [part]: createSecret() }, ANA)).rejects.toMatchObject({
      reason: 'slack_failed',
    });
  });

  it('discovers again after a failure, and not after a success', async () => {
    const first = await startSlack();
    const port = Number(new URL(first.url).port);
    const signIn = connect(first.apiUrl);
    await first.close();
    await expect(signIn.buildSignInUrl('T0001', newStep())).rejects.toMatchObject({ reason: 'slack_unavailable' });

    const second = await startSlack({ port });
    await signIn.buildSignInUrl('T0001', newStep());
    await second.close();

    expect(await signIn.buildSignInUrl('T0001', newStep())).toContain(second.url);
  });
});

describe('isSamePerson', () => {
  const single = { person: { team: 'T1', user: 'U1' }, workspace: 'T1' };
  const grid = { person: { team: 'E1', user: 'U1' }, workspace: 'T1' };

  it.each([
    ['the same user of the team', { user: 'U1', team: 'T1' }, single, true],
    ['the same user of the installing team', { user: 'U1', team: 'T1' }, grid, true],
    ['the same user in another team of the enterprise', { user: 'U1', team: 'T2', enterprise: 'E1' }, grid, true],
    ['a user who is signed in to the enterprise itself', { user: 'U1', team: 'E1' }, grid, true],
    ['another user of the team', { user: 'U2', team: 'T1' }, single, false],
    ['a user of the same id in another team', { user: 'U1', team: 'T2' }, single, false],
    ['a user of the same id in another enterprise', { user: 'U1', team: 'T2', enterprise: 'E2' }, grid, false],
    ['another user of the enterprise', { user: 'U2', team: 'T2', enterprise: 'E1' }, grid, false],
  ])('knows %s', (_who, identity, ticket, isSame) => {
    expect(isSamePerson(identity, ticket)).toBe(isSame);
  });
});
