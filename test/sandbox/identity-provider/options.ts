import { createFaultQueue } from '../loopback/fault-queue.ts';
import type { IdentityFault, IdentityFaultOptions } from './faults.ts';
import type { ClientCertificate } from './keys.ts';
import { createIdentityLedger } from './ledger.ts';

export const DEFAULTS = {
  tenant: '11111111-2222-4333-8444-555555555555',
  clientId: 'assistant-bridge',
  clientSecret: 'sandbox-client-secret',
  /** Makes a certificate for the client (private_key_jwt); costs an RSA key per process. */
  withCertificate: false,
  /** Shows a consent page after sign-in; otherwise consent is given for the person. */
  askConsent: false,
  /** Asks at each sign-in who one is, whoever the browser was last; otherwise only a browser that is nobody's. */
  askPerson: false,
  /** False: id tokens have no `oid`, as of providers that are no directory. Can be changed while it runs. */
  withDirectoryIds: true,
};

export type IdentityProviderOptions = Partial<Readonly<typeof DEFAULTS>> & {
  readonly port?: number;
  /** Exact redirect URIs; more can be registered while it runs. */
  readonly redirectUris: readonly string[];
};

export type IdentitySettings = typeof DEFAULTS & {
  readonly url: string;
  readonly redirectUris: string[];
  readonly certificate: ClientCertificate | undefined;
};

/** Paths of the contract, with the few that only the sandbox has. */
export function toPaths(tenant: string) {
  return {
    issuer: `/${toTenantId(tenant)}/v2.0`,
    discovery: `/${tenant}/v2.0`,
    authorize: `/${tenant}/oauth2/v2.0/authorize`,
    token: `/${tenant}/oauth2/v2.0/token`,
    keys: `/${tenant}/discovery/v2.0/keys`,
    userinfo: `/${tenant}/openid/userinfo`,
    login: '/sandbox/login',
    interaction: '/sandbox/interaction/',
  } as const;
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What tokens say, also where the tenant is asked for by a name such as its domain. */
export function toTenantId(tenant: string): string {
  return GUID.test(tenant) ? tenant : '77777777-6666-4555-8444-333333333333';
}

export const PERSON_COOKIE = 'sandbox_person';

/** Everything one identity provider holds beside oidc-provider itself. */
export type IdentityWorld = ReturnType<typeof createIdentityWorld>;

export function createIdentityWorld(settings: IdentitySettings) {
  return {
    settings,
    paths: toPaths(settings.tenant),
    ledger: createIdentityLedger(),
    faults: createFaultQueue<IdentityFault, IdentityFaultOptions>({}),
  };
}
