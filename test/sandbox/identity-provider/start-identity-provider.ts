import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import { startLoopbackServer } from '../loopback/loopback-server.ts';
import type { TokenHolder } from '../loopback/token-holder.ts';
import { createAuthorizeStep } from './authorize-endpoint.ts';
import type { IdentityFaults } from './faults.ts';
import { type Jwk, readClientCertificate, readSigningJwk } from './keys.ts';
import type { IdentityLedger } from './ledger.ts';
import {
  createIdentityWorld,
  DEFAULTS,
  type IdentityProviderOptions,
  type IdentitySettings,
  type IdentityWorld,
} from './options.ts';
import { PEOPLE } from './people.ts';
import { buildConfiguration } from './provider-configuration.ts';
import { answerUnknownTenant, findUnknownTenant } from './refusals.ts';
import { answerInteraction, answerLogin } from './sign-in.ts';
import { createTokenStep } from './token-endpoint.ts';
import { createTokenStorage, type TokenStorage } from './token-storage.ts';

export type IdentityProviderSandbox = ReturnType<typeof buildSandbox>;

/** Starts the identity provider on a loopback port (plain http, which only loopback may have). */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProviderSandbox> {
  const [signingJwk, client] = await Promise.all([
    readSigningJwk(),
    options.withCertificate === true ? readClientCertificate() : undefined,
  ]);
  let handle = async (_request: IncomingMessage, _response: ServerResponse): Promise<void> => {};
  const server = await startLoopbackServer((request, response) => handle(request, response), options.port);
  const redirectUris = [...options.redirectUris];
  const settings = { ...DEFAULTS, ...options, redirectUris, url: server.url, certificate: client?.certificate };
  const storage = createTokenStorage((id, usesAssertion) =>
    id === settings.clientId ? buildClient(settings, usesAssertion ? client?.publicJwk : undefined) : undefined,
  );
  const world = createIdentityWorld(settings);
  const provider = createProvider(world, signingJwk, storage);
  handle = createHandler(provider, world);
  return buildSandbox(world, { provider, storage, close: server.close });
}

function buildClient(settings: IdentitySettings, publicJwk: Jwk | undefined): Record<string, unknown> {
  const authentication = publicJwk
    ? { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [publicJwk] } }
    : { token_endpoint_auth_method: 'client_secret_post' };
  return {
    client_id: settings.clientId,
    client_secret: settings.clientSecret,
    client_name: 'Assistant Bridge (sandbox)',
    redirect_uris: [...settings.redirectUris],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...authentication,
  };
}

function createProvider(world: IdentityWorld, signingJwk: Jwk, storage: TokenStorage): Provider {
  const { settings, paths, ledger } = world;
  const provider = new Provider(settings.url + paths.issuer, buildConfiguration(settings, signingJwk, storage));
  provider.use(createAuthorizeStep(world));
  provider.use(createTokenStep(world));
  provider.on('grant.error', (_context, error) => {
    if (error.error_detail === 'refresh token already used') ledger.addReuse();
  });
  provider.on('server_error', (_context, error) => {
    console.error('sandbox: the identity provider failed', error);
  });
  return provider;
}

function createHandler(provider: Provider, { settings, paths }: IdentityWorld) {
  const serve = provider.callback();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path === paths.login) return answerLogin({ request, response });
    if (path.startsWith(paths.interaction)) return answerInteraction(provider, settings, { request, response });
    const unknown = findUnknownTenant(path, settings.tenant);
    if (unknown !== undefined) return answerUnknownTenant(response, path, unknown);
    // Discovery belongs under the issuer; the contract's client does not use it.
    if (path.startsWith(`${paths.discovery}/.well-known/`)) request.url = path.slice(paths.discovery.length);
    return serve(request, response);
  };
}

type Parts = { readonly provider: Provider; readonly storage: TokenStorage; close(): Promise<void> };

function buildSandbox(world: IdentityWorld, { provider, storage, close }: Parts) {
  const { settings, paths } = world;
  const ledger: IdentityLedger = world.ledger;
  const faults: IdentityFaults = world.faults;
  const { tenant, clientId, clientSecret, certificate: clientCertificate } = settings;
  return {
    /** The `{auth_url}` of the contract. */
    url: settings.url,
    issuer: settings.url + paths.issuer,
    ...{ tenant, clientId, clientSecret, clientCertificate, people: PEOPLE, ledger, faults, close },
    /** Where a browser goes to be signed in as this person from then on. */
    loginUrl: (person: string) => `${settings.url}${paths.login}?person=${encodeURIComponent(person)}`,
    registerRedirectUri: (uri: string) => void settings.redirectUris.push(uri),
    /** Whether id tokens have an `oid` from now on. */
    setDirectoryIds(present: boolean): void {
      settings.withDirectoryIds = present;
    },
    /** Ends access tokens at once, of one person or of everybody; refresh tokens stay good. */
    expireAccessTokens: (person?: string) => storage.remove(['AccessToken'], person),
    /** Ends everything this person granted: the next refresh is `invalid_grant`. */
    revoke: (person: string) => storage.remove(['AccessToken', 'RefreshToken', 'AuthorizationCode', 'Grant'], person),
    /** Who an access token speaks for: handed to the other stand-ins. */
    async verifyToken(token: string): Promise<TokenHolder | undefined> {
      const found = await provider.AccessToken.find(token);
      const person = found && PEOPLE.get(found.accountId);
      if (!found || !person) return undefined;
      return { subject: person.key, name: person.name, scope: found.scope ?? '', roles: person.roles };
    },
  };
}
