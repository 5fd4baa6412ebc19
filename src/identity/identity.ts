import type { Person } from '../conversation/question.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { Log } from '../log.ts';
import { type AccessTokens, type AccessTokensOptions, createAccessTokens } from './access-token.ts';
import type { Purpose } from './account-link.ts';
import { createDirectory, type Directory } from './directory.ts';
import { AuthorizationEndedError, IdentityProviderUnavailableError } from './identity-errors.ts';
import { createIdentityProvider, type IdentityProviderOptions } from './identity-provider.ts';
import { createLinkFlow, type LinkFlow, type LinkFlowOptions, type SavedLink } from './link-flow.ts';
import { createLinkRoutes, type LinkRoutes, type LinkRoutesOptions } from './link-routes.ts';
import { type SignInResult, watchSignIns } from './sign-in-result.ts';
import { createSlackSignIn, type SlackSignInOptions } from './slack-sign-in.ts';
import { createTokenVault, type EncryptionKey } from './token-vault.ts';

export type IdentityOptions = Pick<
  LinkFlowOptions,
  'publicUrl' | 'once' | 'links' | 'defaultChannelAnswers' | 'onLinked'
> &
  Pick<LinkRoutesOptions, 'describePerson'> &
  Pick<AccessTokensOptions, 'withLock' | 'onEnded'> & {
    encryptionKeys: readonly EncryptionKey[];
    provider: Omit<IdentityProviderOptions, 'http' | 'now'>;
    /** Without it, people type a code into Slack. */
    slackClient?: Omit<SlackSignInOptions, 'http'> | undefined;
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
  directory: Pick<Directory, 'find'>;
};

export function createIdentity(options: IdentityOptions): Identity {
  const { http, now, slackClient } = options;
  const vault = createTokenVault(options.encryptionKeys);
  const identityProvider = createIdentityProvider({ ...options.provider, http, now });
  const slackSignIn = slackClient && createSlackSignIn({ ...slackClient, http });
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
  const signInOrigins = [identityProvider.origin, ...(slackSignIn ? [slackSignIn.origin] : [])];
  return {
    accessTokens: createAccessTokens({
      ...options,
      vault,
      refresh: watched(identityProvider.refresh, options.onRefresh),
    }),
    linkFlow: {
      ...linkFlow,
      unlink: (person, purpose) => unlink({ ...options, linkFlow, directory }, person, purpose),
    },
    linkRoutes: createLinkRoutes({ ...options, flow: linkFlow, signInOrigins }),
    directory,
  };
}

/** After a sign-in with another account, forgets the previous one. */
async function announce(directory: Directory, { link, previous }: SavedLink): Promise<void> {
  await directory.remember(link);
  if (previous) await directory.forget(previous);
}

async function unlink(
  {
    linkFlow,
    directory,
    links,
    onEnded,
  }: Pick<IdentityOptions, 'links' | 'onEnded'> & {
    linkFlow: LinkFlow;
    directory: Directory;
  },
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

function watched(refresh: Refresh, onRefresh: (result: RefreshResult) => void = () => undefined): Refresh {
  return async (purpose, refreshToken) => {
    try {
      const tokens = await refresh(purpose, refreshToken);
      onRefresh('refreshed');
      return tokens;
    } catch (error) {
      onRefresh(toResult(error));
      throw error;
    }
  };
}

function toResult(error: unknown): RefreshResult {
  if (error instanceof AuthorizationEndedError) return 'ended';
  return error instanceof IdentityProviderUnavailableError ? 'unavailable' : 'failed';
}
