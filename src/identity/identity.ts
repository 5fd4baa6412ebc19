import type { Person } from '../conversation/question.ts';
import { createFaultLog } from '../fault-log.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Log } from '../log.ts';
import { type AccessTokens, type AccessTokensOptions, createAccessTokens } from './access-token.ts';
import type { Purpose, SavedLink } from './account-link.ts';
import type { Presented } from './browser-bound.ts';
import { createDirectory, type Directory } from './directory.ts';
import type { EncryptionKey } from './encryption-keys.ts';
import { AuthorizationEndedError, IdentityProviderUnavailableError } from './identity-errors.ts';
import { createIdentityProvider, type IdentityProviderOptions } from './identity-provider.ts';
import { createLinkFlow, type LinkFlow, type LinkFlowOptions } from './link-flow.ts';
import { createLinkRoutes, type LinkRoutes, type LinkRoutesOptions } from './link-routes.ts';
import { keyOf } from './link-ticket.ts';
import { type SignInResult, watchSignIns } from './sign-in-result.ts';
import { createSlackSignIn, type SlackSignInOptions } from './slack-sign-in.ts';
import { createTokenVault } from './token-vault.ts';

export type IdentityOptions = Pick<LinkFlowOptions, 'publicUrl' | 'once' | 'links' | 'onLinked'> &
  Pick<LinkRoutesOptions, 'describePerson' | 'languageOf' | 'defaultLanguage'> &
  Pick<AccessTokensOptions, 'withLock' | 'onEnded'> & {
    encryptionKeys: readonly EncryptionKey[];
    provider: Omit<IdentityProviderOptions, 'http' | 'now'>;
    slackClient: Omit<SlackSignInOptions, 'http'>;
    /** Called with the result of each refresh. */
    onRefresh?: ((result: RefreshResult) => void) | undefined;
    /** Called with the result of each sign-in. */
    onSignIn?: ((result: SignInResult) => void) | undefined;
    http: HttpClient;
    now: () => number;
    log: Log;
  };

/** `ended`: the person has to sign in again; `unavailable`: the identity provider, for now. */
type RefreshResult = 'refreshed' | 'ended' | 'unavailable' | 'failed';

/** Sign-in with its pages, and access tokens. */
export type Identity = {
  accessTokens: AccessTokens;
  linkFlow: LinkFlow;
  linkRoutes: LinkRoutes;
  directory: Pick<Directory, 'find' | 'findId' | 'forget'>;
};

export function createIdentity(options: IdentityOptions): Identity {
  const { http, now, slackClient } = options;
  const vault = createTokenVault(options.encryptionKeys);
  const identityProvider = createIdentityProvider({ ...options.provider, http, now });
  const slackSignIn = createSlackSignIn({ ...slackClient, http });
  const directory = createDirectory(options);
  const flow = createLinkFlow({
    ...options,
    vault,
    identityProvider,
    slackSignIn,
    async onLinked(saved) {
      // Independent: a failure of one must not prevent the other.
      await Promise.all([announce(directory, saved), options.onLinked(saved)]);
    },
  });
  const linkFlow = options.onSignIn ? watchSignIns(flow, options.onSignIn) : flow;
  return {
    accessTokens: createAccessTokens({
      ...options,
      vault,
      refresh: watched(identityProvider.refresh, options),
    }),
    linkFlow: {
      ...linkFlow,
      unlink: (person, purpose) => unlink({ ...options, linkFlow, directory }, person, purpose),
    },
    linkRoutes: createLinkRoutes({
      ...options,
      flow: { ...linkFlow, undo: (presented) => undo({ ...options, linkFlow, directory }, presented) },
      slackOrigin: slackSignIn.origin,
      providerOrigin: identityProvider.origin,
    }),
    directory,
  };
}

/** After a sign-in with another account, forgets the previous one. */
async function announce(directory: Directory, { link, previous }: SavedLink): Promise<void> {
  await directory.remember(link);
  if (previous) await directory.forget(previous);
}

type Unlinking = Pick<IdentityOptions, 'links' | 'onEnded'> & { linkFlow: LinkFlow; directory: Directory };

async function undo({ linkFlow, directory, onEnded }: Unlinking, presented: Presented) {
  const undone = await linkFlow.undo(presented);
  if (!undone) return undefined;
  await directory.forget(undone.link);
  await onEnded?.(keyOf(undone.ticket));
  return undone;
}

async function unlink(
  { linkFlow, directory, links, onEnded }: Unlinking,
  person: Person,
  purpose?: Purpose,
): Promise<Purpose[]> {
  const before = await Promise.all(PURPOSES.map((one) => links.get({ ...person, purpose: one })));
  const removed = await linkFlow.unlink(person, purpose);
  for (const link of before) if (link) await directory.forget(link);
  for (const ended of removed) await onEnded?.({ ...person, purpose: ended });
  return removed;
}

const PURPOSES = ['assistant', 'admin'] as const satisfies Purpose[];

type Refresh = AccessTokensOptions['refresh'];

/** Reports each refresh, and logs those that fail for another reason than that an authorization has ended. */
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
