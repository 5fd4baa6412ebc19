import { createPrivateKey, webcrypto } from 'node:crypto';
import * as client from 'openid-client';
import { afterEach, describe, expect, it } from 'vitest';
import { ADMIN_SCOPE, ASSISTANT_SCOPE } from '../loopback/scopes.ts';
import {
  buildAttempt,
  buildClient,
  createCallbackBrowser,
  FULL_SCOPE,
  REDIRECT_URI,
  redeem,
  visitAs,
} from './openid-client.ts';
import type { IdentityProviderOptions } from './options.ts';
import { type IdentityProviderSandbox, startIdentityProvider } from './start-identity-provider.ts';

const started: IdentityProviderSandbox[] = [];

async function start(options: Partial<IdentityProviderOptions> = {}): Promise<IdentityProviderSandbox> {
  const provider = await startIdentityProvider({ redirectUris: [REDIRECT_URI], ...options });
  started.push(provider);
  return provider;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((provider) => provider.close()));
});

async function signIn(provider: IdentityProviderSandbox, person = 'ana', configuration = buildClient(provider)) {
  const attempt = await buildAttempt(configuration);
  const callback = await visitAs(provider, person, attempt.url);
  const tokens = await redeem(configuration, attempt, callback);
  return { configuration, attempt, callback, tokens, refreshToken: tokens.refresh_token ?? '' };
}

async function refuse(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof client.ResponseBodyError) return error.error;
  if (error instanceof client.AuthorizationResponseError) return error.error;
  return `not a protocol error: ${String(error)}`;
}

describe('the identity provider, used by an independent client library', () => {
  it('signs a person in by code and PKCE, and tells who an access token speaks for', async () => {
    const provider = await start();

    const { tokens } = await signIn(provider);

    expect(tokens.claims()).toMatchObject({ sub: 'ana', name: 'Ana Alvarez', preferred_username: 'ana@example.com' });
    expect(tokens.claims()?.tid).toBe(provider.tenant);
    expect(tokens.expiresIn()).toBeGreaterThan(3590);
    expect(await provider.verifyToken(tokens.access_token)).toMatchObject({ subject: 'ana', name: 'Ana Alvarez' });
    expect(provider.ledger.grants).toEqual({ authorization_code: 1 });
    const kim = (await signIn(provider, 'kim')).tokens.access_token;
    expect(await provider.verifyToken(kim)).toMatchObject({
      roles: ['admin'],
      scope: expect.stringContaining(ASSISTANT_SCOPE),
    });
    expect(provider.ledger.tokenRequests[0]).toMatchObject({
      clientAuthentication: 'secret',
      person: 'ana',
      status: 200,
    });
  });

  it('rotates the refresh token and revokes the grant when an old one comes back', async () => {
    const provider = await start();
    const { configuration, refreshToken } = await signIn(provider);

    const second = await client.refreshTokenGrant(configuration, refreshToken);
    const reuse = await refuse(client.refreshTokenGrant(configuration, refreshToken));
    const afterwards = await refuse(client.refreshTokenGrant(configuration, second.refresh_token ?? ''));

    expect(second.refresh_token).not.toBe(refreshToken);
    expect([reuse, afterwards]).toEqual(['invalid_grant', 'invalid_grant']);
    expect(provider.ledger.reuseDetections).toBe(1);
    expect(provider.ledger.refreshes).toBe(1);
    expect(await provider.verifyToken(second.access_token)).toBeUndefined();
  });

  it('keeps the grants of one person apart: the death of one leaves the other', async () => {
    const provider = await start();
    const first = await signIn(provider);
    const second = await signIn(provider);
    await client.refreshTokenGrant(first.configuration, first.refreshToken);
    await refuse(client.refreshTokenGrant(first.configuration, first.refreshToken));

    const refreshed = await client.refreshTokenGrant(second.configuration, second.refreshToken);

    expect(await provider.verifyToken(refreshed.access_token)).toMatchObject({ subject: 'ana' });
  });

  it('takes a code once', async () => {
    const provider = await start();
    const { configuration, attempt, callback, tokens } = await signIn(provider);

    const replay = await refuse(redeem(configuration, attempt, callback));

    expect(replay).toBe('invalid_grant');
    expect(await provider.verifyToken(tokens.access_token)).toBeUndefined();
  });

  it('refuses a wrong code verifier, a wrong secret, and an exchange without scope', async () => {
    const provider = await start();
    const configuration = buildClient(provider);
    const stranger = buildClient(provider, client.ClientSecretPost('wrong'));
    const attempt = await buildAttempt(configuration);
    const callback = await visitAs(provider, 'ana', attempt.url);
    const checks = { pkceCodeVerifier: attempt.verifier, expectedState: attempt.state, expectedNonce: attempt.nonce };

    const secret = await refuse(redeem(stranger, attempt, callback));
    const scope = await refuse(client.authorizationCodeGrant(configuration, callback, checks));
    const verifier = await refuse(redeem(configuration, { ...attempt, verifier: 'v'.repeat(43) }, callback));

    expect([secret, scope, verifier]).toEqual(['invalid_client', 'invalid_request', 'invalid_grant']);
  });

  it('gives no refresh token without offline_access, and no id token without openid', async () => {
    const provider = await start();
    const configuration = buildClient(provider);
    const attempt = await buildAttempt(configuration, { scope: ASSISTANT_SCOPE });
    attempt.url.searchParams.delete('nonce');
    const callback = await visitAs(provider, 'ben', attempt.url);

    const checks = { pkceCodeVerifier: attempt.verifier, expectedState: attempt.state };
    const tokens = await client.authorizationCodeGrant(configuration, callback, checks, { scope: ASSISTANT_SCOPE });

    expect(tokens.refresh_token).toBeUndefined();
    expect(tokens.id_token).toBeUndefined();
    expect(await provider.verifyToken(tokens.access_token)).toMatchObject({ subject: 'ben', scope: ASSISTANT_SCOPE });
  });

  it('accepts a certificate in place of the secret, and only with its thumbprint', async () => {
    const provider = await start({ withCertificate: true });
    const certificate = provider.clientCertificate;
    const pkcs8 = createPrivateKey(certificate?.key ?? '').export({ format: 'der', type: 'pkcs8' });
    const algorithm = { name: 'RSA-PSS', hash: 'SHA-256' };
    const key = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
    const byCertificate = (thumbprint: string) =>
      buildClient(
        provider,
        client.PrivateKeyJwt(key, {
          [client.modifyAssertion]: (header) => {
            header['x5t#S256'] = thumbprint;
          },
        }),
      );

    const { tokens } = await signIn(provider, 'ana', byCertificate(certificate?.thumbprint ?? ''));
    const other = await refuse(signIn(provider, 'ana', byCertificate('another')));

    expect(await provider.verifyToken(tokens.access_token)).toMatchObject({ subject: 'ana' });
    expect(other).toBe('invalid_client');
    expect(provider.ledger.tokenRequests.map((one) => one.clientAuthentication)).toEqual(['assertion', 'assertion']);
  });

  it('expires access tokens on demand and by their lifetime, and revokes a person', async () => {
    const provider = await start({ accessTokenTtlS: 1 });
    const { configuration, tokens, refreshToken } = await signIn(provider);

    provider.expireAccessTokens('ana');
    const expired = await provider.verifyToken(tokens.access_token);
    const refreshed = await client.refreshTokenGrant(configuration, refreshToken);
    const alive = await provider.verifyToken(refreshed.access_token);
    provider.revoke('ana');
    const revoked = await refuse(client.refreshTokenGrant(configuration, refreshed.refresh_token ?? ''));

    expect([expired, refreshed.expires_in]).toEqual([undefined, 1]);
    expect(alive).toMatchObject({ subject: 'ana' });
    expect(revoked).toBe('invalid_grant');
  });
});

describe('the authorize endpoint', () => {
  const problems: [string, Record<string, string>, string][] = [
    ['a missing challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['an unknown scope', { scope: `${FULL_SCOPE} api://other/Read` }, 'invalid_scope'],
    ['scopes of two resources', { scope: `${ASSISTANT_SCOPE} ${ADMIN_SCOPE}` }, 'invalid_scope'],
  ];

  it.each(problems)('refuses %s', async (_name, parameters, error) => {
    const provider = await start();
    const { url } = await buildAttempt(buildClient(provider), parameters);
    for (const [name, value] of Object.entries(parameters)) if (value === '') url.searchParams.delete(name);
    if (!parameters.scope?.includes('openid')) url.searchParams.delete('nonce');

    const reached = await visitAs(provider, 'ana', url);

    expect(reached.href).toMatch(new RegExp(`[?#&]error=${error}`));
  });

  it('keeps an unregistered redirect URI on a page of its own', async () => {
    const provider = await start();
    const { url } = await buildAttempt(buildClient(provider), { redirect_uri: `${REDIRECT_URI}/extra` });
    const browser = createCallbackBrowser();

    const page = await browser.open(url.href);

    expect([page.status, page.heading]).toEqual([400, 'Sign-in failed']);
    expect(page.text).toContain('invalid_redirect_uri');
  });

  it('lets a person choose on the page, and decline', async () => {
    const provider = await start({ askConsent: true });
    const { url } = await buildAttempt(buildClient(provider));
    const browser = createCallbackBrowser();

    const chooser = await browser.open(url.href);
    const consent = await browser.submit(0, { person: 'ben' });
    const declined = await browser.submit(0, { decision: 'cancel' });

    expect(chooser.text).toContain('ana@example.com');
    expect(consent.text).toContain('Ben Brandt, this app asks for:');
    expect(declined.url).toContain('error=access_denied');
  });

  it('asks each time who somebody is, where it is told to', async () => {
    const provider = await start({ askPerson: true });
    const { url } = await buildAttempt(buildClient(provider));
    const browser = createCallbackBrowser();
    await browser.open(provider.loginUrl('ana'));

    const chooser = await browser.open(url.href);
    const done = await browser.submit(0, { person: 'ben' });

    expect(chooser.text).toContain('ana@example.com');
    expect(done.url).toContain('code=');
  });

  it('lets one browser change hands', async () => {
    const provider = await start();
    const configuration = buildClient(provider);
    const browser = createCallbackBrowser();
    const people: unknown[] = [];

    for (const person of ['ana', 'ben']) {
      const attempt = await buildAttempt(configuration);
      await browser.open(provider.loginUrl(person));
      const { url } = await browser.open(attempt.url.href);
      const tokens = await redeem(configuration, attempt, new URL(url));
      people.push(tokens.claims()?.sub);
    }

    expect(people).toEqual(['ana', 'ben']);
  });
});

describe('its faults', () => {
  it.each([
    ['invalid-grant', 'invalid_grant'],
    ['invalid-client', 'invalid_client'],
    ['temporarily-unavailable', 'temporarily_unavailable'],
  ] as const)('plays %s once and leaves the grant alone', async (fault, error) => {
    const provider = await start();
    const { configuration, refreshToken } = await signIn(provider);
    provider.faults.next(fault, { on: 'refresh' });

    const refused = await refuse(client.refreshTokenGrant(configuration, refreshToken));
    const again = await client.refreshTokenGrant(configuration, refreshToken);

    expect(refused).toBe(error);
    expect(await provider.verifyToken(again.access_token)).toMatchObject({ subject: 'ana' });
  });

  it('spends the refresh token before it resets the connection', async () => {
    const provider = await start();
    const { configuration, refreshToken } = await signIn(provider);
    provider.faults.next('reset-after-processing');

    const lost = await refuse(client.refreshTokenGrant(configuration, refreshToken));
    const again = await refuse(client.refreshTokenGrant(configuration, refreshToken));

    expect(lost).toMatch(/^not a protocol error/);
    expect(again).toBe('invalid_grant');
    expect(provider.ledger.reuseDetections).toBe(1);
  });

  it('answers with a page of a gateway, and late', async () => {
    const provider = await start();
    const { configuration, refreshToken } = await signIn(provider);
    provider.faults.next('html-502');
    provider.faults.next('delay', { ms: 60 });

    const broken = await refuse(client.refreshTokenGrant(configuration, refreshToken));
    const before = Date.now();
    await client.refreshTokenGrant(configuration, refreshToken);

    expect(broken).toMatch(/^not a protocol error/);
    expect(Date.now() - before).toBeGreaterThanOrEqual(55);
  });

  it('denies access with an error text that would do harm in a page', async () => {
    const provider = await start();
    const attempt = await buildAttempt(buildClient(provider));
    provider.faults.next('access-denied');

    const callback = await visitAs(provider, 'ana', attempt.url);

    expect(callback.searchParams.get('error')).toBe('access_denied');
    expect(callback.searchParams.get('error_description')).toContain('<script>');
    expect(callback.searchParams.get('state')).toBe(attempt.state);
  });
});
