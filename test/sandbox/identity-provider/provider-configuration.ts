// How oidc-provider is set up to behave like the identity provider of the contract.
import { type KoaContextWithOIDC as Context, errors } from 'oidc-provider';
import { escapeHtml } from '../loopback/render-page.ts';
import { ADMIN_SCOPE, ASSISTANT_SCOPE, toAudience } from '../loopback/scopes.ts';
import type { Jwk } from './keys.ts';
import { type IdentitySettings, toPaths, toTenantId } from './options.ts';
import { PEOPLE } from './people.ts';
import { buildPage } from './sign-in.ts';
import type { TokenStorage } from './token-storage.ts';

const DAY_S = 86_400;
const RESOURCE_SCOPES: readonly string[] = [ASSISTANT_SCOPE, ADMIN_SCOPE];
const SCOPES = ['openid', 'profile', 'email', 'offline_access', ...RESOURCE_SCOPES];

export function buildConfiguration(settings: IdentitySettings, signingJwk: Jwk, storage: TokenStorage): object {
  const paths = toPaths(settings.tenant);
  const off = { enabled: false };
  return {
    adapter: storage.adapter,
    jwks: { keys: [signingJwk] },
    scopes: SCOPES,
    claims: { openid: ['sub', 'oid', 'tid'], profile: ['name', 'preferred_username'] },
    // Like its model, it puts the profile into the id token, not only into the userinfo answer.
    conformIdTokenClaims: false,
    findAccount: (_context: Context, key: string) => buildAccount(key, settings),
    routes: { authorization: paths.authorize, token: paths.token, jwks: paths.keys, userinfo: paths.userinfo },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_post', 'private_key_jwt'],
    enabledJWA: { clientAuthSigningAlgValues: ['PS256'], idTokenSigningAlgValues: ['RS256'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    cookies: { keys: ['sandbox'] },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      IdToken: 3600,
      RefreshToken: 90 * DAY_S,
      Grant: 90 * DAY_S,
      Interaction: 600,
      Session: 600,
    },
    features: {
      devInteractions: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      resourceIndicators: off,
      rpInitiatedLogout: off,
    },
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `${paths.interaction}${uid}` },
    extraParams: { domain_hint: checkAuthorizeRequest },
    assertJwtClientAuthClaimsAndHeader: buildAssertionCheck(settings),
    renderError: (context: Context, out: Readonly<Record<string, string>>) => renderError(context, out),
  };
}

function buildAccount(key: string, settings: IdentitySettings): object | undefined {
  const person = PEOPLE.get(key);
  if (!person) return undefined;
  const { name, preferredUsername, oid } = person;
  const tid = person.tenant ?? toTenantId(settings.tenant);
  const claims = async () => ({
    ...{ sub: key, tid, name, preferred_username: preferredUsername },
    ...(settings.withDirectoryIds && { oid }),
  });
  return { accountId: key, claims };
}

// Hung on an extra parameter because such checks run last, when errors already travel to the redirect URI.
function checkAuthorizeRequest(context: Context): void {
  if (context.oidc.params?.response_mode !== 'query') {
    throw new errors.InvalidRequest('response_mode must be query, as the contract says');
  }
  // oidc-provider has dropped unknown scopes from its own parameters by now.
  const asked = new URLSearchParams(context.querystring).get('scope') ?? '';
  const scopes = asked.split(' ').filter((scope) => scope !== '');
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown !== undefined) throw new errors.InvalidScope('an unknown scope was asked for', unknown);
  const audiences = new Set(scopes.filter((scope) => RESOURCE_SCOPES.includes(scope)).map(toAudience));
  if (audiences.size > 1)
    throw new errors.InvalidScope('scopes of one resource only can be asked for at a time', asked);
}

const LONGEST_ASSERTION_S = 600;

function buildAssertionCheck({ certificate }: IdentitySettings) {
  return (_context: Context, claims: { exp: number }, header: Readonly<Record<string, unknown>>): void => {
    if (header['x5t#S256'] !== certificate?.thumbprint) {
      throw new errors.InvalidClientAuth('x5t#S256 is not the thumbprint of the registered certificate');
    }
    if (claims.exp > Date.now() / 1000 + LONGEST_ASSERTION_S) throw new errors.InvalidClientAuth('exp is too far away');
  };
}

function renderError(context: Context, out: Readonly<Record<string, string>>): void {
  const lines = Object.entries(out).map(([name, value]) => `<p>${escapeHtml(name)}: ${escapeHtml(String(value))}</p>`);
  context.type = 'html';
  context.body = buildPage('Sign-in failed', lines.join('\n'));
}
