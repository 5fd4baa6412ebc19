// Used by an independent client library, without discovery.
import { createPrivateKey, webcrypto } from 'node:crypto';
import * as client from 'openid-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBrowser } from '../browser.ts';
import { ADMIN_SCOPE, ASSISTANT_SCOPE } from '../loopback/scopes.ts';
import type { IdentityProviderOptions } from './options.ts';
import { type IdentityProviderSandbox, startIdentityProvider } from './start-identity-provider.ts';

const REDIRECT_URI = 'http://127.0.0.1:9/callback';
const FULL_SCOPE = `${ASSISTANT_SCOPE} openid profile offline_access`;

async function start(options: Partial<IdentityProviderOptions> = {}): Promise<IdentityProviderSandbox> {
  const provider = await startIdentityProvider({ redirectUris: [REDIRECT_URI], ...options });
  onTestFinished(() => provider.close());
  return provider;
}

function buildClient(
  provider: IdentityProviderSandbox,
  authentication: client.ClientAuth = client.ClientSecretPost(provider.clientSecret),
): client.Configuration {
  const base = `${provider.url}/${provider.tenant}/oauth2/v2.0`;
  const server = {
    issuer: provider.issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    authorization_response_iss_parameter_supported: true,
  };
  const configuration = new client.Configuration(server, provider.clientId, {}, authentication);
  client.allowInsecureRequests(configuration);
  return configuration;
}

async function buildAttempt(configuration: client.Configuration, parameters: Record<string, string> = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: REDIRECT_URI,
    response_mode: 'query',
    scope: FULL_SCOPE,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  });
  return { url, verifier, state, nonce };
}

type Attempt = Awaited<ReturnType<typeof buildAttempt>>;

/** Nobody serves the callback address. */
const openCallbackBrowser = () => createBrowser({ stopBefore: (url) => url.startsWith(REDIRECT_URI) });

/** Opens the address as a signed-in person; gives the callback address. */
async function visitAs(
  provider: IdentityProviderSandbox,
  person: string,
  url: URL,
  browser = openCallbackBrowser(),
): Promise<URL> {
  await browser.open(provider.loginUrl(person));
  return new URL((await browser.open(url.href)).url);
}

function redeem(configuration: client.Configuration, attempt: Attempt, callback: URL, scope: string = FULL_SCOPE) {
  const checks = { pkceCodeVerifier: attempt.verifier, expectedState: attempt.state, expectedNonce: attempt.nonce };
  return client.authorizationCodeGrant(configuration, callback, checks, scope === '' ? {} : { scope });
}

async function signIn(provider: IdentityProviderSandbox, configuration = buildClient(provider)) {
  const attempt = await buildAttempt(configuration);
  const callback = await visitAs(provider, 'ana', attempt.url);
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

describe('the token endpoint', () => {
  it('rotates the refresh token, and revokes the grant when an old one comes back, and no other grant', async () => {
    const provider = await start();
    const { configuration, refreshToken } = await signIn(provider);
    const other = await signIn(provider);

    const second = await client.refreshTokenGrant(configuration, refreshToken);
    const reuse = await refuse(client.refreshTokenGrant(configuration, refreshToken));
    const afterwards = await refuse(client.refreshTokenGrant(configuration, second.refresh_token ?? ''));
    const refreshed = await client.refreshTokenGrant(other.configuration, other.refreshToken);

    expect([reuse, afterwards]).toEqual(['invalid_grant', 'invalid_grant']);
    expect(provider.ledger).toMatchObject({ reuseDetections: 1, refreshes: 2 });
    expect(await provider.verifyToken(second.access_token)).toBeUndefined();
    expect(await provider.verifyToken(refreshed.access_token)).toMatchObject({ subject: 'ana' });
  });

  it('takes a code once', async () => {
    const provider = await start();
    const { configuration, attempt, callback, tokens } = await signIn(provider);

    expect(await refuse(redeem(configuration, attempt, callback))).toBe('invalid_grant');
    expect(await provider.verifyToken(tokens.access_token)).toBeUndefined();
  });

  it('refuses a wrong code verifier, a wrong secret, and an exchange without scope', async () => {
    const provider = await start();
    const configuration = buildClient(provider);
    const stranger = buildClient(provider, client.ClientSecretPost('wrong'));
    const attempt = await buildAttempt(configuration);
    const callback = await visitAs(provider, 'ana', attempt.url);

    const secret = await refuse(redeem(stranger, attempt, callback));
    const scope = await refuse(redeem(configuration, attempt, callback, ''));
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

    expect([tokens.refresh_token, tokens.id_token]).toEqual([undefined, undefined]);
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

    const { tokens } = await signIn(provider, byCertificate(certificate?.thumbprint ?? ''));
    const other = await refuse(signIn(provider, byCertificate('another')));

    expect(await provider.verifyToken(tokens.access_token)).toMatchObject({ subject: 'ana' });
    expect(other).toBe('invalid_client');
    expect(provider.ledger.tokenRequests.map((one) => one.clientAuthentication)).toEqual(['assertion', 'assertion']);
  });
});

describe('the authorize endpoint', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a missing challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['an unknown scope', { scope: `${FULL_SCOPE} api://other/Read` }, 'invalid_scope'],
    ['scopes of two resources', { scope: `${ASSISTANT_SCOPE} ${ADMIN_SCOPE}` }, 'invalid_scope'],
  ])('refuses %s', async (_name, parameters, error) => {
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

    const page = await openCallbackBrowser().open(url.href);

    expect([page.status, page.heading]).toEqual([400, 'Sign-in failed']);
    expect(page.text).toContain('invalid_redirect_uri');
  });

  it('asks who one is, whoever the browser was last, and takes a no', async () => {
    const provider = await start({ askConsent: true, askPerson: true });
    const { url } = await buildAttempt(buildClient(provider));
    const browser = openCallbackBrowser();
    await browser.open(provider.loginUrl('ana'));

    const chooser = await browser.open(url.href);
    const consent = await browser.submit(0, { person: 'ben' });
    const declined = await browser.submit(0, { decision: 'cancel' });

    expect(chooser.text).toContain('ana@example.com');
    expect(consent.text).toContain('Ben Brandt, this app asks for:');
    expect(declined.url).toContain('error=access_denied');
  });

  it('lets one browser change hands', async () => {
    const provider = await start();
    const configuration = buildClient(provider);
    const browser = openCallbackBrowser();
    const people: unknown[] = [];

    for (const person of ['ana', 'ben']) {
      const attempt = await buildAttempt(configuration);
      const callback = await visitAs(provider, person, attempt.url, browser);
      people.push((await redeem(configuration, attempt, callback)).claims()?.sub);
    }

    expect(people).toEqual(['ana', 'ben']);
  });
});

describe('its faults', () => {
  it.each([
    ['invalid-grant', 'invalid_grant'],
    ['invalid-client', 'invalid_client'],
    ['temporarily-unavailable', 'temporarily_unavailable'],
    ['html-502', 'not a protocol error'],
  ] as const)('plays %s once and leaves the grant alone', async (fault, error) => {
    const provider = await start();
    const { configuration, refreshToken } = await signIn(provider);
    provider.faults.next(fault, { on: 'refresh' });

    expect(await refuse(client.refreshTokenGrant(configuration, refreshToken))).toContain(error);
    expect(await client.refreshTokenGrant(configuration, refreshToken)).toHaveProperty('access_token');
  });

  it('spends the refresh token before it resets the connection', async () => {
    const provider = await start();
    const { configuration, refreshToken } = await signIn(provider);
    provider.faults.next('reset-after-processing');

    const lost = await refuse(client.refreshTokenGrant(configuration, refreshToken));
    const again = await refuse(client.refreshTokenGrant(configuration, refreshToken));

    expect(lost).toMatch(/^not a protocol error/);
    expect(again).toBe('invalid_grant');
  });

  it('denies access with an error text that would do harm in a page', async () => {
    const provider = await start();
    const attempt = await buildAttempt(buildClient(provider));
    provider.faults.next('access-denied');

    const callback = await visitAs(provider, 'ana', attempt.url);

    expect(Object.fromEntries(callback.searchParams)).toMatchObject({
      error: 'access_denied',
      error_description: expect.stringContaining('<script>'),
      state: attempt.state,
    });
  });
});
