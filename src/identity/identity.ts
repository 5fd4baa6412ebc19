import { createFaultLog } from '../fault-log.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Log } from '../log.ts';
import { type AccessTokensOptions, createAccessTokens } from './access-token.ts';
import { createDirectory } from './directory.ts';
import type { EncryptionKey } from './encryption-keys.ts';
import { AuthorizationEndedError, IdentityProviderUnavailableError } from './identity-errors.ts';
import { createIdentityProvider, type IdentityProviderOptions } from './identity-provider.ts';
import { createLinkFlow, type LinkFlowOptions } from './link-flow.ts';
import { createLinkRoutes, type LinkRoutesOptions } from './link-routes.ts';
import { createSlackSignIn, type SlackSignInOptions } from './slack-sign-in.ts';
import { createTokenVault } from './token-vault.ts';

export type IdentityOptions = Pick<
  LinkFlowOptions,
  'publicUrl' | 'once' | 'links' | 'onLinked' | 'inBackground' | 'onEnded' | 'onSignIn'
> &
  Pick<LinkRoutesOptions, 'describePerson' | 'languageOf' | 'defaultLanguage'> &
  Pick<AccessTokensOptions, 'withLock'> & {
    encryptionKeys: readonly EncryptionKey[];
    provider: Omit<IdentityProviderOptions, 'http' | 'now'>;
    slackClient: Omit<SlackSignInOptions, 'http'>;
    /** Called with the result of each refresh. */
    onRefresh?: ((result: RefreshResult) => void) | undefined;
    http: HttpClient;
    now: () => number;
    log: Log;
  };

/** `ended`: the person has to sign in again; `unavailable`: the identity provider did not answer. */
type RefreshResult = 'refreshed' | 'ended' | 'unavailable' | 'failed';

export type Identity = ReturnType<typeof createIdentity>;

/** Sign-in with its pages, and access tokens. */
export function createIdentity(options: IdentityOptions) {
  const { http, now } = options;
  const vault = createTokenVault(options.encryptionKeys);
  const identityProvider = createIdentityProvider({ ...options.provider, http, now });
  const slackSignIn = createSlackSignIn({ ...options.slackClient, http });
  const directory = createDirectory(options);
  const linkFlow = createLinkFlow({ ...options, vault, identityProvider, slackSignIn, directory });
  return {
    directory,
    linkFlow,
    accessTokens: createAccessTokens({ ...options, vault, refresh: watched(identityProvider.refresh, options) }),
    linkRoutes: createLinkRoutes({
      ...options,
      flow: linkFlow,
      slackOrigin: slackSignIn.origin,
      providerOrigin: identityProvider.origin,
    }),
  };
}

type Refresh = AccessTokensOptions['refresh'];

/** Reports each refresh. Logs failures, unless the authorization has ended. */
function watched(refresh: Refresh, { onRefresh, log }: Pick<IdentityOptions, 'onRefresh' | 'log'>): Refresh {
  const logFault = createFaultLog(log, 'token refresh failed');
  return async (purpose, refreshToken) => {
    try {
      const tokens = await refresh(purpose, refreshToken);
      onRefresh?.('refreshed');
      return tokens;
    } catch (error) {
      const result = toResult(error);
      onRefresh?.(result);
      if (result !== 'ended') logFault(result, { purpose, err: error });
      throw error;
    }
  };
}

function toResult(error: unknown): RefreshResult {
  if (error instanceof AuthorizationEndedError) return 'ended';
  return error instanceof IdentityProviderUnavailableError ? 'unavailable' : 'failed';
}
