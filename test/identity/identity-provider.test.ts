import { generateKeyPairSync } from 'node:crypto';
import { createBrowser } from '@assistant-bridge/sandbox/browser.ts';
import {
  type IdentityProviderSandbox,
  startIdentityProvider,
} from '@assistant-bridge/sandbox/identity-provider/start-identity-provider.ts';
import type { Reply } from '@assistant-bridge/sandbox/loopback/reply.ts';
import { ADMIN_SCOPE, ASSISTANT_SCOPE } from '@assistant-bridge/sandbox/loopback/scopes.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createHttpClient } from '../../src/http/http-client.ts';
import {
  createIdentityProvider,
  createStep,
  type IdentityProviderOptions,
  type SignInStep,
} from '../../src/identity/identity-provider.ts';
import { createSecret } from '../../src/identity/secret.ts';
import { startTokenAnswers, startTokenEndpoint } from './token-answer-server.ts';

const REDIRECT_URI = 'http://127.0.0.1:9/callback';

const http = createHttpClient();
let sandbox: IdentityProviderSandbox;
let certified: IdentityProviderSandbox;

beforeAll(async () => {
  [sandbox, certified] = await Promise.all([
    startIdentityProvider({ redirectUris: [REDIRECT_URI] }),
    startIdentityProvider({ redirectUris: [REDIRECT_URI], withCertificate: true }),
  ]);
});

afterAll(() => Promise.all([sandbox.close(), certified.close(), http.close()]));

afterEach(() => {
  sandbox.faults.clear();
  sandbox.ledger.clear();
});

function connect(to: { url: string }, options: Partial<IdentityProviderOptions> = {}) {
  return createIdentityProvider({
    authUrl: to.url,
    tenantId: sandbox.tenant,
    clientId: sandbox.clientId,
    credential: { secret: sandbox.clientSecret },
    scopes: { assistant: ASSISTANT_SCOPE, admin: ADMIN_SCOPE },
    http,
    now: Date.now,
    ...options,
  });
}

const newStep = () => createStep(REDIRECT_URI);

/** Signs a person in; gives the parameters of the callback. */
async function visit(provider: ReturnType<typeof connect>, at: IdentityProviderSandbox, step: SignInStep) {
  const browser = createBrowser({ stopBefore: (url) => url.startsWith(REDIRECT_URI) });
  await browser.open(at.loginUrl('ana'));
  const page = await browser.open(await provider.buildSignInUrl('assistant', step));
  return new URL(page.url).searchParams;
}

describe('buildSignInUrl', () => {
  it('follows the contract, with PKCE, a nonce, and the scope of the purpose', async () => {
    const step = newStep();

    const url = new URL(await connect(sandbox).buildSignInUrl('admin', step));

    expect(url.pathname).toBe(`/${sandbox.tenant}/oauth2/v2.0/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: sandbox.clientId,
      response_type: 'code',
      response_mode: 'query',
      redirect_uri: REDIRECT_URI,
      scope: `${ADMIN_SCOPE} openid profile offline_access`,
      state: step.state,
      nonce: step.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      prompt: 'select_account',
    });
    expect(url.href).not.toContain(step.codeVerifier);
  });

  it('says that a purpose without a scope is not configured', async () => {
    const provider = connect(sandbox, { scopes: { assistant: ASSISTANT_SCOPE } });

    await expect(provider.buildSignInUrl('admin', newStep())).rejects.toMatchObject({
      code: 'identity_provider_misconfigured',
    });
  });
});

describe('exchange', () => {
  it('gives tokens and the name of the account', async () => {
    const provider = connect(sandbox);
    const step = newStep();

    const account = await provider.exchange('assistant', await visit(provider, sandbox, step), step);

    expect(account.accountName).toBe('Ana Alvarez (ana@example.com)');
    expect(await sandbox.verifyToken(account.tokens.accessToken)).toMatchObject({ subject: 'ana' });
  });

  it('tells the account of the directory, by its subject where it has no id there', async () => {
    const provider = connect(sandbox);
    const [first, later] = [newStep(), newStep()];

    const ana = await provider.exchange('assistant', await visit(provider, sandbox, first), first);
    sandbox.setDirectoryIds(false);
    const bySubject = await provider.exchange('assistant', await visit(provider, sandbox, later), later);
    sandbox.setDirectoryIds(true);

    expect(ana.account).toBe(`${sandbox.issuer}|oid|${sandbox.people.get('ana')?.oid}`);
    expect(bySubject.account).toBe(`${sandbox.issuer}|sub|ana`);
  });

  it('authenticates by certificate where there is one', async () => {
    const pem = `${certified.clientCertificate?.certificate}${certified.clientCertificate?.key}`;
    const provider = connect(certified, { credential: { certificate: pem } });
    const step = newStep();

    const { tokens } = await provider.exchange('assistant', await visit(provider, certified, step), step);
    await provider.refresh('assistant', tokens.refreshToken ?? '');

    expect(certified.ledger.tokenRequests.map((each) => each.clientAuthentication)).toEqual(['assertion', 'assertion']);
    expect(certified.ledger.refreshes).toBe(1);
  });

  it('names the certificate by its thumbprint and signs with PS256', async () => {
    const pem = `${certified.clientCertificate?.key}${certified.clientCertificate?.certificate}`;
    const server = await startTokenAnswers([{ status: 200, body: { access_token: 'a' } }]);
    const provider = connect(server, { credential: { certificate: pem } });

    await provider.refresh('assistant', 'r');

    const [header, payload] = (server.forms[0]?.get('client_assertion') ?? '').split('.');
    expect(JSON.parse(Buffer.from(header ?? '', 'base64url').toString())).toMatchObject({
      alg: 'PS256',
      'x5t#S256': certified.clientCertificate?.thumbprint,
    });
    expect(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())).toMatchObject({
      aud: `${server.url}/${sandbox.tenant}/oauth2/v2.0/token`,
    });
    expect(server.forms[0]?.has('client_secret')).toBe(false);
    await server.close();
  });

  it('refuses a certificate that does not fit its key, before anybody signs in', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const certificate = certified.clientCertificate?.certificate ?? '';

    for (const pem of [`${key}${certificate}`, certificate, String(key), 'nonsense']) {
      expect(() => connect(sandbox, { credential: { certificate: pem } })).toThrow(
        expect.objectContaining({ code: 'client_certificate_invalid' }),
      );
    }
  });

  it('refuses an id token with another nonce, and one of another issuer', async () => {
    const provider = connect(sandbox);
    const step = newStep();
    const callback = await visit(provider, sandbox, step);
    await expect(provider.exchange('assistant', callback, { ...step, nonce: createSecret() })).rejects.toMatchObject({
      reason: 'provider_failed',
    });

    const elsewhere = connect(sandbox, { issuer: 'https://other.example' });
    const again = await visit(elsewhere, sandbox, step);
    again.delete('iss');
    await expect(elsewhere.exchange('assistant', again, step)).rejects.toMatchObject({
      code: 'identity_provider_misconfigured',
      message: expect.stringContaining('AUTH_ISSUER'),
    });
  });

  it('takes the least that the contract shows: an access token alone', async () => {
    const server = await startTokenAnswers([{ status: 200, body: { access_token: 'alone' } }]);

    const account = await connect(server).exchange('assistant', new URLSearchParams({ code: 'c' }), newStep());

    expect(account).toEqual({
      tokens: { accessToken: 'alone', obtainedAt: expect.any(Number), expiresAt: expect.any(Number) },
    });
    expect(account.tokens.expiresAt - account.tokens.obtainedAt).toBe(10 * 60_000);
    expect(Object.fromEntries(server.forms[0] ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      client_id: sandbox.clientId,
      client_secret: sandbox.clientSecret,
      code: 'c',
      redirect_uri: REDIRECT_URI,
      scope: `${ASSISTANT_SCOPE} openid profile offline_access`,
    });
    await server.close();
  });
});

describe('refresh', () => {
  it.each([
    ['seconds as text', { expires_in: '120' }, 120_000],
    ['null', { expires_in: null }, 600_000],
    ['nonsense', { expires_in: 'soon' }, 600_000],
    ['a foreign id token', { expires_in: 120, id_token: 'not.a.jwt' }, 120_000],
  ])('does not lose a new pair over %s', async (_what, body, lifeMs) => {
    const answer = { access_token: 'a', refresh_token: 'next', token_type: 'Bearer', ...body };
    const server = await startTokenAnswers([{ status: 200, body: answer }]);

    const tokens = await connect(server).refresh('assistant', 'r');

    expect(tokens).toMatchObject({ accessToken: 'a', refreshToken: 'next' });
    expect(tokens.expiresAt - tokens.obtainedAt).toBe(lifeMs);
    await server.close();
  });

  it.each([
    [400, { error: 'invalid_grant', suberror: 'bad_token' }, 'authorization_ended'],
    [400, { error: 'interaction_required', claims: '{}' }, 'authorization_ended'],
    [400, { error: 'consent_required' }, 'authorization_ended'],
    [400, { error: 'login_required' }, 'authorization_ended'],
    [401, { error: 'invalid_client' }, 'identity_provider_misconfigured'],
    [400, { error: 'unauthorized_client' }, 'identity_provider_misconfigured'],
    [400, { error: 'invalid_scope' }, 'identity_provider_misconfigured'],
    [400, { error: '<b>odd</b>' }, 'identity_provider_misconfigured'],
    [400, { error: 'temporarily_unavailable' }, 'identity_provider_unavailable'],
    [429, { error: 'too_many' }, 'identity_provider_unavailable'],
    [500, { error: 'invalid_grant' }, 'identity_provider_unavailable'],
    [502, '<html>Bad Gateway</html>', 'identity_provider_unavailable'],
    [403, '<html>Blocked</html>', 'identity_provider_unavailable'],
    [302, {}, 'identity_provider_unavailable'],
    [200, '<html>Maintenance</html>', 'identity_provider_unavailable'],
    [200, { token_type: 'Bearer' }, 'identity_provider_unavailable'],
  ])('reads HTTP %s with %j as %s', async (status, body, code) => {
    const server = await startTokenAnswers([{ status, body }]);

    await expect(connect(server).refresh('assistant', 'r')).rejects.toMatchObject({ code });
    await server.close();
  });

  it.each([
    [
      'an error beside it',
      { error: 'invalid_client', error_codes: [7000215] },
      { variable: 'AUTH_CLIENT_SECRET', providerCode: 7000215 },
    ],
    ['no error', '<html></html>', { variable: 'AUTH_CLIENT_ID or AUTH_CLIENT_SECRET', status: 401 }],
  ])('names the variable where the token endpoint challenges, with %s', async (_, body, fault) => {
    const headers = { 'www-authenticate': 'Basic realm="tokens"' };
    const server = await startTokenAnswers([{ status: 401, headers, body }]);

    await expect(connect(server).refresh('assistant', 'r')).rejects.toMatchObject({
      code: 'identity_provider_misconfigured',
      fault,
    });
    await server.close();
  });

  it('hands up the wait that the identity provider asks for', async () => {
    const server = await startTokenAnswers([{ status: 503, headers: { 'retry-after': '7' }, body: '<html></html>' }]);

    await expect(connect(server).refresh('assistant', 'r')).rejects.toMatchObject({ retryAfterMs: 7_000 });
    await server.close();
  });

  it('is unavailable where nobody listens', async () => {
    const server = await startTokenAnswers([]);
    await server.close();

    await expect(connect(server).refresh('assistant', 'r')).rejects.toMatchObject({
      code: 'identity_provider_unavailable',
    });
  });
});

describe('a failure of the identity provider', () => {
  const DOWN = { status: 500, body: 'oops' };

  /** A provider that answers every token and code that is called bad with this failure. */
  async function failWith(failure: Reply) {
    const server = await startTokenEndpoint((form) => {
      const isBad = [form.get('refresh_token'), form.get('code')].some((value) => value?.startsWith('bad'));
      return isBad ? failure : { status: 200, body: { access_token: 'new', token_type: 'Bearer' } };
    });
    // Whom it leaves in peace is known to a client of its own.
    const client = createHttpClient();
    onTestFinished(async () => {
      await client.close();
      await server.close();
    });
    return connect(server, { http: client });
  }

  async function refreshInVain({ refresh }: ReturnType<typeof connect>, people: number): Promise<void> {
    for (let count = 0; count < 30; count++) await refresh('assistant', `bad ${count % people}`).catch(() => undefined);
  }

  it.each<[string, Reply, number]>([
    ['for one person', DOWN, 1],
    ['that says invalid_grant with 400', { status: 400, body: { error: 'invalid_grant' } }, 10],
    ['that says invalid_client with 401', { status: 401, body: { error: 'invalid_client' } }, 10],
    ['that says invalid_grant with 500', { status: 500, body: { error: 'invalid_grant' } }, 10],
    ['that says invalid_client with 503', { status: 503, body: { error: 'invalid_client' } }, 10],
  ])('%s stops nobody else', async (_, failure, people) => {
    const provider = await failWith(failure);
    await refreshInVain(provider, people);

    expect(await provider.refresh('assistant', 'fine')).toMatchObject({ accessToken: 'new' });
  });

  it.each<[string, Reply]>([
    ['a page', { status: 502, body: '<html></html>' }],
    ['a word that it is unavailable', { status: 503, body: { error: 'temporarily_unavailable' } }],
  ])('with %s for several people leaves it in peace', async (_, failure) => {
    const provider = await failWith(failure);
    await refreshInVain(provider, 4);

    await expect(provider.refresh('assistant', 'fine')).rejects.toMatchObject({
      code: 'identity_provider_unavailable',
    });
  });

  it('at sign-ins alone, however many are begun, stops no refresh', async () => {
    const provider = await failWith(DOWN);
    for (let count = 0; count < 30; count++) {
      const callback = new URLSearchParams({ code: `bad ${count}` });
      await provider.exchange('assistant', callback, newStep()).catch(() => undefined);
    }

    expect(await provider.refresh('assistant', 'fine')).toMatchObject({ accessToken: 'new' });
  });
});
