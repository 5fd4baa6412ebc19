// The way an independent OpenID client library uses the stand-in: a configuration without discovery.
import * as client from 'openid-client';
import { type Browser, createBrowser } from '../browser.ts';
import { ASSISTANT_SCOPE } from '../loopback/scopes.ts';
import type { IdentityProviderSandbox } from './start-identity-provider.ts';

export const REDIRECT_URI = 'http://127.0.0.1:9/callback';
/** Everything the app asks for to talk to the assistant. */
export const FULL_SCOPE = `${ASSISTANT_SCOPE} openid profile offline_access`;

export function buildClient(
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

export type Attempt = { readonly url: URL; readonly verifier: string; readonly state: string; readonly nonce: string };

export async function buildAttempt(
  configuration: client.Configuration,
  parameters: Record<string, string> = {},
): Promise<Attempt> {
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

/** Opens the address as a signed-in person; gives the callback address, which nobody serves. */
export async function visitAs(provider: IdentityProviderSandbox, person: string, url: URL): Promise<URL> {
  const browser = createCallbackBrowser();
  await browser.open(provider.loginUrl(person));
  const { url: reached } = await browser.open(url.href);
  return new URL(reached);
}

export function createCallbackBrowser(): Browser {
  return createBrowser({ stopBefore: (url) => url.startsWith(REDIRECT_URI) });
}

export async function redeem(
  configuration: client.Configuration,
  attempt: Attempt,
  callback: URL,
): Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers> {
  const checks = { pkceCodeVerifier: attempt.verifier, expectedState: attempt.state, expectedNonce: attempt.nonce };
  return client.authorizationCodeGrant(configuration, callback, checks, { scope: FULL_SCOPE });
}
