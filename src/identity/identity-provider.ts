import {
  allowInsecureRequests,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  genericGrantRequest,
  type IDToken,
  refreshTokenGrant,
  type TokenEndpointResponse,
} from 'openid-client';
import type { HttpClient } from '../http/http-client.ts';
import { isHttps } from '../http/web-address.ts';
import type { Purpose, TokenSet } from './account-link.ts';
import { createCertificateAuth } from './client-certificate.ts';
import { scopeVariable, toShownValue } from './configuration-fault.ts';
import { toAccount } from './directory.ts';
import { IdentityProviderMisconfiguredError, LinkRefusedError, toProviderError } from './identity-errors.ts';
import { toFetch, tolerateTokenAnswers } from './openid-fetch.ts';
import { createSecret } from './secret.ts';

/** The single-use values that a sign-in in a browser is bound to. */
export type SignInStep = { redirectUri: string; state: string; nonce: string; codeVerifier: string };

export function createStep(redirectUri: string): SignInStep {
  return { redirectUri, state: createSecret(), nonce: createSecret(), codeVerifier: createSecret() };
}

/** `account`: as in AccountLink. */
export type SignedInAccount = { tokens: TokenSet; accountName?: string; account?: string };

export type IdentityProviderOptions = {
  /** AUTH_URL, without the tenant, and without a slash at the end. */
  authUrl: string;
  tenantId: string;
  clientId: string;
  /** `certificate`: RSA private key and certificate in PEM. */
  credential: { secret: string } | { certificate: string };
  /** AUTH_ISSUER; default `{authUrl}/{tenant}/v2.0`. */
  issuer?: string | undefined;
  /** The scope of each interface, to which ADDED_SCOPES are added. */
  scopes: { assistant: string; admin?: string | undefined };
  http: HttpClient;
  now: () => number;
};

/** They make the provider send an id token with the account name, and a refresh token. */
const ADDED_SCOPES = 'openid profile offline_access';

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/**
 * Uses the URLs of the contract (conversation interface, section 5), without discovery. Errors of `exchange` and
 * `refresh`: AuthorizationEndedError, IdentityProvider{Unavailable,Misconfigured}Error.
 */
export function createIdentityProvider(options: IdentityProviderOptions) {
  const config = buildConfiguration(options);
  const { issuer } = config.serverMetadata();
  const expectedTenant = toExpectedTenant({ tenantId: options.tenantId, issuer });

  /**
   * Redeems the code of a callback whose state was already checked. Throws LinkRefusedError for a foreign `iss`, and for an
   * account of another tenant.
   */
  async function exchange(purpose: Purpose, callback: URLSearchParams, step: SignInStep): Promise<SignedInAccount> {
    // RFC 9207: do not redeem the code of another authorization server.
    const callbackIssuer = callback.get('iss');
    if (callbackIssuer !== null && callbackIssuer !== issuer) {
      const fault = { variable: 'AUTH_ISSUER', expected: issuer, found: toShownValue(callbackIssuer) };
      throw new LinkRefusedError('provider_failed', { fault });
    }
    const answer = await request(options, purpose, () =>
      // Not authorizationCodeGrant: with an expected nonce it fails if there is no id token.
      genericGrantRequest(config, 'authorization_code', {
        code: callback.get('code') ?? '',
        redirect_uri: step.redirectUri,
        code_verifier: step.codeVerifier,
        scope: scopeFor(options, purpose),
      }),
    );
    const claims = answer.claims();
    if (claims && claims.nonce !== step.nonce) throw new LinkRefusedError('provider_failed');
    refuseOtherTenant(claims?.tid, expectedTenant);
    const accountName = claims && toAccountName(claims);
    const account = claims && toAccount(claims);
    return {
      tokens: toTokenSet(answer, options.now()),
      ...(accountName !== undefined && { accountName }),
      ...(account !== undefined && { account }),
    };
  }

  return {
    origin: new URL(options.authUrl).origin,
    /** The expected issuer of id tokens. */
    issuer,
    /** Where providers that support it publish the issuer: OpenID Connect Discovery 1.0 section 4. */
    discoveryUrl: `${toTenantUrl(options)}/v2.0/.well-known/openid-configuration`,
    async buildSignInUrl(purpose: Purpose, step: SignInStep): Promise<string> {
      const url = buildAuthorizationUrl(config, {
        redirect_uri: step.redirectUri,
        response_mode: 'query',
        // Otherwise the provider silently uses whichever account is signed in to the browser.
        prompt: 'select_account',
        scope: scopeFor(options, purpose),
        state: step.state,
        nonce: step.nonce,
        code_challenge: await calculatePKCECodeChallenge(step.codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    exchange,
    async refresh(purpose: Purpose, refreshToken: string): Promise<TokenSet> {
      const scope = scopeFor(options, purpose);
      const answer = await request(options, purpose, () => refreshTokenGrant(config, refreshToken, { scope }));
      return toTokenSet(answer, options.now());
    },
  };
}

function buildConfiguration(options: IdentityProviderOptions): Configuration {
  const tenantUrl = toTenantUrl(options);
  const tokenEndpoint = `${tenantUrl}/oauth2/v2.0/token`;
  const { credential } = options;
  const config = new Configuration(
    {
      issuer: options.issuer ?? `${tenantUrl}/v2.0`,
      authorization_endpoint: `${tenantUrl}/oauth2/v2.0/authorize`,
      token_endpoint: tokenEndpoint,
      // Without discovery openid-client accepts RS256 only. The token comes over TLS from the token endpoint.
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'RS384', 'RS512', 'ES384', 'EdDSA'],
    },
    options.clientId,
    undefined,
    'secret' in credential
      ? ClientSecretPost(credential.secret)
      : createCertificateAuth(credential.certificate, tokenEndpoint),
  );
  config[customFetch] = tolerateTokenAnswers(toFetch(options.http));
  if (!isHttps(options.authUrl)) allowInsecureRequests(config);
  return config;
}

function toTenantUrl({ authUrl, tenantId }: IdentityProviderOptions): string {
  return `${authUrl}/${encodeURIComponent(tenantId)}`;
}

const GUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

const IS_GUID = new RegExp(`^${GUID.source}$`, 'i');

/** Names for any tenant: https://learn.microsoft.com/entra/identity-platform/v2-protocols#endpoints */
const ANY_TENANT = new Set(['common', 'organizations', 'consumers']);

/**
 * The `tid` that id tokens must have, if they have one. Undefined: any. If the tenant is configured by a name, such as
 * its domain, the issuer contains its id.
 */
function toExpectedTenant({ tenantId, issuer }: { tenantId: string; issuer: string }): string | undefined {
  if (IS_GUID.test(tenantId)) return tenantId;
  if (ANY_TENANT.has(tenantId.toLowerCase())) return undefined;
  return GUID.exec(issuer)?.[0] ?? tenantId;
}

/** The claim is optional, because not all identity providers send it. The issuer is always compared. */
function refuseOtherTenant(tid: unknown, expected: string | undefined): void {
  if (tid === undefined || expected === undefined) return;
  if (typeof tid === 'string' && tid.toLowerCase() === expected.toLowerCase()) return;
  const cause = new Error(`the account is of the tenant ${toShownValue(tid)}, and AUTH_TENANT_ID is ${expected}`);
  throw new LinkRefusedError('other_tenant', { cause });
}

function scopeFor({ scopes }: IdentityProviderOptions, purpose: Purpose): string {
  const scope = scopes[purpose];
  if (scope === undefined) throw new IdentityProviderMisconfiguredError(`no scope is configured for ${purpose}`);
  return `${scope} ${ADDED_SCOPES}`;
}

async function request<T extends TokenEndpointResponse>(
  { now, credential }: IdentityProviderOptions,
  purpose: Purpose,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const secret = 'secret' in credential ? 'AUTH_CLIENT_SECRET' : 'AUTH_CLIENT_CERTIFICATE';
    const client = `AUTH_CLIENT_ID or ${secret}`;
    throw toProviderError(error, now(), { client, credential: secret, scope: scopeVariable(purpose) });
  }
}

const NAME_LIMIT = 120;

/** For display only, never for decisions. */
function toAccountName(claims: IDToken): string | undefined {
  const address = [claims.preferred_username, claims.email, claims.upn].find(isText);
  const name = isText(claims.name) ? claims.name : undefined;
  const shown = name !== undefined && address !== undefined && name !== address ? `${name} (${address})` : name;
  return (shown ?? address)?.replace(/\p{C}/gu, '').slice(0, NAME_LIMIT);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

// The lifetime without `expires_in`. Short, because an extra refresh costs less than a refused question.
const UNKNOWN_LIFE_MS = 10 * 60_000;

function toTokenSet(answer: TokenEndpointResponse, now: number): TokenSet {
  const lifeMs = answer.expires_in === undefined ? UNKNOWN_LIFE_MS : answer.expires_in * 1000;
  return {
    accessToken: answer.access_token,
    obtainedAt: now,
    expiresAt: now + lifeMs,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
  };
}
