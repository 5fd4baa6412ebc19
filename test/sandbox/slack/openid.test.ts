import * as client from 'openid-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSlackForEach } from './open-test-app.ts';

const REDIRECT = 'http://127.0.0.1:9/link/slack';

describe('Sign in with Slack', () => {
  const slack = openSlackForEach({ autoAllow: true });
  let config: client.Configuration;

  beforeEach(async () => {
    const authentication = client.ClientSecretPost(slack.clientSecret);
    const options = { execute: [client.allowInsecureRequests] };
    config = await client.discovery(new URL(slack.url), slack.clientId, undefined, authentication, options);
  });

  async function authorize(user: string, extra: Record<string, string> = {}): Promise<URL> {
    const url = client.buildAuthorizationUrl(config, { redirect_uri: REDIRECT, scope: 'openid profile', ...extra });
    const login = await fetch(`${slack.url}/sandbox/login?user=${user}`);
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    return new URL(response.headers.get('location') ?? 'about:blank');
  }

  it('refuses scopes of another kind beside its own', async () => {
    const url = client.buildAuthorizationUrl(config, { redirect_uri: REDIRECT, scope: 'openid chat:write' });

    const response = await fetch(url);

    expect(response.status).toBe(400);
    expect(await response.text()).toContain('openid cannot be combined with others');
  });

  it('takes the secret in a header, too, and a code only once', async () => {
    const callback = await authorize('U0BEN', { state: 's1' });
    const exchange = () =>
      fetch(`${slack.apiUrl}openid.connect.token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${slack.clientId}:${slack.clientSecret}`).toString('base64')}`,
        },
        body: new URLSearchParams({ code: callback.searchParams.get('code') ?? '', redirect_uri: REDIRECT }),
      });

    const first = await (await exchange()).json();
    const second = await (await exchange()).json();

    expect(first).toMatchObject({ ok: true, token_type: 'Bearer' });
    expect(second).toEqual({ ok: false, error: 'invalid_code' });
  });

  it('refuses a redirect address that is not registered', async () => {
    slack.openId.redirectUrls.add('http://127.0.0.1:9/other');
    const url = client.buildAuthorizationUrl(config, { redirect_uri: REDIRECT, scope: 'openid' });

    const response = await fetch(url, { redirect: 'manual', headers: { cookie: 'sandbox_slack_user=U0ANA' } });

    expect(response.status).toBe(400);
    expect(await response.text()).toContain('bad_redirect_uri');
  });
});
