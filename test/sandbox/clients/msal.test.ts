// Signs in with @azure/msal-node, and asks the assistant service with the token. Copy it to try another client.
import { ConfidentialClientApplication, CryptoProvider } from '@azure/msal-node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBrowser } from '../browser.ts';
import { ASSISTANT_SCOPE } from '../loopback/scopes.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';

const REDIRECT_URI = 'http://127.0.0.1:3999/callback';

let world: Sandbox;

beforeEach(async () => {
  const app = { eventsUrl: 'http://127.0.0.1:3999/slack/events', redirectUris: [REDIRECT_URI] };
  world = await startSandbox({ app });
});
afterEach(() => world.close());

/** MSAL takes no authority without https, so the addresses are handed to it instead of being discovered. */
async function createClient(): Promise<ConfidentialClientApplication> {
  const { issuer, url, tenant, clientId, clientSecret } = world.identityProvider;
  const metadata = await fetch(`${issuer}/.well-known/openid-configuration`);
  return new ConfidentialClientApplication({
    auth: {
      clientId,
      clientSecret,
      authority: `${url.replace('http:', 'https:')}/${tenant}`,
      knownAuthorities: [new URL(url).host],
      authorityMetadata: await metadata.text(),
    },
  });
}

it('signs in by code and PKCE, refreshes, and asks with the token', async () => {
  const client = await createClient();
  const { verifier, challenge } = await new CryptoProvider().generatePkceCodes();
  const scopes = [ASSISTANT_SCOPE];
  const browser = createBrowser({ stopBefore: (url) => url.startsWith(REDIRECT_URI) });
  await browser.open(world.identityProvider.loginUrl('ana'));
  const address = await client.getAuthCodeUrl({
    scopes,
    redirectUri: REDIRECT_URI,
    codeChallenge: challenge,
    codeChallengeMethod: 'S256',
  });
  await browser.open(address);
  if (!browser.page.url.startsWith(REDIRECT_URI)) await browser.submit();
  const code = new URL(browser.page.url).searchParams.get('code') ?? '';

  const first = await client.acquireTokenByCode({ code, scopes, redirectUri: REDIRECT_URI, codeVerifier: verifier });
  expect(first.account?.username).toBe('ana@example.com');
  const account = first.account ?? expect.fail('there is no account');
  const second = await client.acquireTokenSilent({ account, scopes, forceRefresh: true });

  expect(second.accessToken).not.toBe(first.accessToken);
  expect(world.identityProvider.ledger.grants).toEqual({ authorization_code: 1, refresh_token: 1 });
  const created = await fetch(`${world.assistant.url}/rest/conversations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${second.accessToken}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(created.status).toBe(201);
});

it('is told when the person has to sign in again', async () => {
  const client = await createClient();
  const scopes = [ASSISTANT_SCOPE];
  const request = { code: 'never-issued', scopes, redirectUri: REDIRECT_URI, codeVerifier: 'v'.repeat(43) };

  await expect(client.acquireTokenByCode(request)).rejects.toMatchObject({ errorCode: 'invalid_grant' });
});
