import * as client from 'openid-client';
import { afterEach, describe, expect, it } from 'vitest';
import { startAdmin } from '../admin/start-admin.ts';
import { startAssistant } from '../assistant/start-assistant.ts';
import { ADMIN_SCOPE } from '../loopback/scopes.ts';
import { buildAttempt, buildClient, FULL_SCOPE, REDIRECT_URI, redeem, visitAs } from './openid-client.ts';
import { type IdentityProviderSandbox, startIdentityProvider } from './start-identity-provider.ts';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start<Sandbox extends { close(): Promise<void> }>(starting: Promise<Sandbox>): Promise<Sandbox> {
  const sandbox = await starting;
  closing.push(() => sandbox.close());
  return sandbox;
}

async function getToken(provider: IdentityProviderSandbox, person: string, resource?: string): Promise<string> {
  const configuration = buildClient(provider);
  const scope = resource === undefined ? FULL_SCOPE : `${resource} openid offline_access`;
  const attempt = await buildAttempt(configuration, { scope });
  return (await redeem(configuration, attempt, await visitAs(provider, person, attempt.url))).access_token;
}

const ask = async (url: string, token: string, body: object) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
};

describe('the stand-ins together', () => {
  it('let a person who signed in ask the assistant, until the token expires', async () => {
    const provider = await start(startIdentityProvider({ redirectUris: [REDIRECT_URI] }));
    const assistant = await start(startAssistant({ verifyToken: provider.verifyToken }));
    const token = await getToken(provider, 'ana');

    const created = await ask(`${assistant.url}/rest/conversations`, token, {});
    const { id } = (await created.json()) as { id: string };
    const answer = await ask(`${assistant.url}/rest/conversations/${id}/chat`, token, { message: { text: 'Hello' } });
    provider.expireAccessTokens();
    const late = await ask(`${assistant.url}/rest/conversations/${id}/chat`, token, { message: { text: 'Hello' } });

    expect(await answer.text()).toContain('Hi Ana Alvarez');
    expect([created.status, answer.status, late.status]).toEqual([201, 200, 401]);
    expect(assistant.conversations.get(id)?.owner).toBe('ana');
  });

  it('let an administrator in, with a token of the right resource', async () => {
    const provider = await start(startIdentityProvider({ redirectUris: [REDIRECT_URI] }));
    const admin = await start(startAdmin({ verifyToken: provider.verifyToken }));
    const tokens = [
      await getToken(provider, 'kim', ADMIN_SCOPE),
      await getToken(provider, 'ana', ADMIN_SCOPE),
      await getToken(provider, 'kim'),
    ];

    const path = `${admin.url}/resourcequery/resources/query?api-version=2024-10-01`;
    const body = { TableName: 'PlatformResources', Clauses: [] };
    const answers = await Promise.all(tokens.map((token) => ask(path, token, body)));

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 401]);
  });

  it('offer discovery under the issuer, for clients other than the app', async () => {
    const provider = await start(startIdentityProvider({ redirectUris: [REDIRECT_URI] }));

    const configuration = await client.discovery(new URL(provider.issuer), provider.clientId, undefined, undefined, {
      execute: [client.allowInsecureRequests],
    });

    expect(configuration.serverMetadata()).toMatchObject({
      issuer: provider.issuer,
      authorization_endpoint: `${provider.url}/${provider.tenant}/oauth2/v2.0/authorize`,
      token_endpoint: `${provider.url}/${provider.tenant}/oauth2/v2.0/token`,
    });
  });
});
