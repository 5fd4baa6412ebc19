// Whose failure it is when the identity provider answers with an error: one person's, or everybody's.

import { type LoopbackServer, startLoopbackServer } from '@assistant-bridge/sandbox/loopback/loopback-server.ts';
import { type Reply, readRequestText, sendReply } from '@assistant-bridge/sandbox/loopback/reply.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../src/http/http-client.ts';
import {
  createIdentityProvider,
  type IdentityProvider,
  type SignInStep,
} from '../../src/identity/identity-provider.ts';

const STEP: SignInStep = { redirectUri: 'http://127.0.0.1:9/', state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) };

let http: HttpClient;
let server: LoopbackServer;
let provider: IdentityProvider;
/** What every token and code is answered with that is called bad. */
let failure: Reply;

beforeEach(async () => {
  http = createHttpClient();
  server = await startLoopbackServer(async (request, response) => {
    const form = new URLSearchParams(await readRequestText(request));
    const isBad = [form.get('refresh_token'), form.get('code')].some((value) => value?.startsWith('bad'));
    sendReply(response, isBad ? failure : { status: 200, body: { access_token: 'new', token_type: 'Bearer' } });
  });
  provider = createIdentityProvider({
    authUrl: server.url,
    tenantId: 'tenant',
    clientId: 'client',
    credential: { secret: 'secret' },
    scopes: { assistant: 'ask' },
    http,
    now: Date.now,
  });
});

afterEach(async () => {
  await http.close();
  await server.close();
});

const refresh = (token: string) => provider.refresh('assistant', token);

async function refreshInVain(people: number): Promise<void> {
  for (let count = 0; count < 30; count++) await refresh(`bad ${count % people}`).catch(() => undefined);
}

describe('a failure of the identity provider', () => {
  it('for one person stops nobody else', async () => {
    failure = { status: 500, body: 'oops' };
    await refreshInVain(1);

    expect(await refresh('fine')).toMatchObject({ accessToken: 'new' });
  });

  it.each([
    ['invalid_grant', 400],
    ['invalid_client', 401],
    ['invalid_grant', 500],
    ['invalid_client', 503],
  ])('that says %s with %i is a refusal, of however many', async (error, status) => {
    failure = { status, body: { error } };
    await refreshInVain(10);

    expect(await refresh('fine')).toMatchObject({ accessToken: 'new' });
  });

  it.each<[string, Reply]>([
    ['a page', { status: 502, body: '<html></html>' }],
    ['a word that it is unavailable', { status: 503, body: { error: 'temporarily_unavailable' } }],
  ])('with %s for several people leaves it in peace', async (_, reply) => {
    failure = reply;
    await refreshInVain(4);

    await expect(refresh('fine')).rejects.toMatchObject({ code: 'identity_provider_unavailable' });
  });

  it('at sign-ins alone, however many are begun, stops no refresh', async () => {
    failure = { status: 500, body: 'oops' };
    for (let count = 0; count < 30; count++) {
      const callback = new URLSearchParams({ code: `bad ${count}`, state: STEP.state });
      await provider.exchange('assistant', callback, STEP).catch(() => undefined);
    }

    expect(await refresh('fine')).toMatchObject({ accessToken: 'new' });
  });
});
