// Refreshes stored tokens. The caller makes sure that only one refresh runs per key.
import { StoreUnavailableError } from '../errors.ts';
import type { Log } from '../log.ts';
import { retry } from '../retry.ts';
import {
  type AccountLink,
  type LinkKey,
  type LinkStore,
  type NewLink,
  type Purpose,
  replaceLink,
  type TokenSet,
  toLinkText,
} from './account-link.ts';
import { AccountNotLinkedError, AuthorizationEndedError, IdentityProviderUnavailableError } from './identity-errors.ts';
import { openTokens, sealTokens, type TokenVault } from './token-vault.ts';

export type RefreshOptions = {
  links: LinkStore;
  vault: TokenVault;
  /** IdentityProvider.refresh. If the result has no `refreshToken`, the old one stays in use. */
  refresh: (purpose: Purpose, refreshToken: string) => Promise<TokenSet>;
  /** Called for each authorization that the identity provider has ended. Never throws. */
  onEnded?: ((key: LinkKey) => Promise<void>) | undefined;
  log: Log;
  /** New tokens that could not be saved, by toLinkText. `spent`: the refresh token that was used up for them. */
  unsaved: Map<string, Unsaved>;
  /** The pause before the one retry of a refresh without a usable response, in ms. Default: 1 s. */
  retryDelayMs?: number;
};

export type Unsaved = { spent: string; tokens: TokenSet };

type LinkedTokens = { link: AccountLink; tokens: TokenSet };

/** Throws AccountNotLinkedError if there is no link or its authorization has ended. */
export async function readLinkedTokens(
  { links, vault }: Pick<RefreshOptions, 'links' | 'vault'>,
  key: LinkKey,
): Promise<LinkedTokens> {
  const link = await links.get(key);
  if (!link) throw new AccountNotLinkedError('never');
  return openLink(vault, link);
}

type Refresh = RefreshOptions & { key: LinkKey; isNeeded: (tokens: TokenSet) => boolean };

/** Reads the tokens again, refreshes if still needed, saves the new tokens, and only then returns the access token. */
export async function refreshStoredTokens(options: Refresh): Promise<string> {
  const stored = await readLinkedTokens(options, options.key);
  const { refreshToken } = stored.tokens;
  const unsaved = options.unsaved.get(toLinkText(options.key));
  if (unsaved && unsaved.spent === refreshToken) {
    await keepTokens(options, stored.link, unsaved);
    return refreshStoredTokens(options);
  }
  if (!options.isNeeded(stored.tokens)) return stored.tokens.accessToken;
  if (refreshToken === undefined) return endAuthorization(options, stored);
  try {
    const fresh = await refreshTwice(options, refreshToken);
    const tokens = { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken };
    return await keepTokens(options, stored.link, { spent: refreshToken, tokens });
  } catch (error) {
    if (error instanceof AuthorizationEndedError) return endAuthorization(options, stored, error);
    throw error;
  }
}

function openLink<Link extends NewLink>(vault: TokenVault, link: Link): { link: Link; tokens: TokenSet } {
  const tokens = openTokens(vault, link);
  if (!tokens) throw new AccountNotLinkedError('ended');
  return { link, tokens };
}

/** Without a usable response, the token may be spent. One retry with the same token resolves most cases. */
function refreshTwice({ refresh, key, retryDelayMs = 1_000 }: Refresh, refreshToken: string): Promise<TokenSet> {
  return retry(
    () => refresh(key.purpose, refreshToken),
    (error, failures) => {
      const isWorthIt = error instanceof IdentityProviderUnavailableError && (error.retryAfterMs ?? 0) <= retryDelayMs;
      return isWorthIt && failures === 1 ? retryDelayMs : undefined;
    },
  );
}

/** For as long as this, an outage of the store signs nobody out whose tokens were refreshed in it. */
const UNSAVED_MS = 60 * 60_000;

/** Saves new tokens. If the store does not take them, the next refresh of this process saves them instead. */
async function keepTokens(options: Refresh, refreshed: AccountLink, fresh: Unsaved): Promise<string> {
  const { key, unsaved } = options;
  const text = toLinkText(key);
  unsaved.delete(text);
  try {
    return await saveTokens(options, refreshed, fresh.tokens);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    unsaved.set(text, fresh);
    setTimeout(() => unsaved.get(text) === fresh && unsaved.delete(text), UNSAVED_MS).unref();
    throw error;
  }
}

/**
 * Stores new tokens, even after a concurrent save of the same sign-in: the old refresh token may be spent. Never
 * overwrites another sign-in, a sign-out or an end by the operator.
 */
async function saveTokens(options: Refresh, refreshed: AccountLink, tokens: TokenSet): Promise<string> {
  const { key, links, vault } = options;
  const sealedTokens = sealTokens(vault, key, tokens);
  const insistently = {
    get: links.get,
    save: (link: NewLink, version: number) => saveInsistently(options, link, version),
  };
  const { link } = await replaceLink(insistently, { key, stored: refreshed }, (stored) => {
    if (!stored) throw new AccountNotLinkedError('never');
    const isSameSignIn = stored.linkedAt === refreshed.linkedAt;
    const isUnrefreshed = stored.sealedTokens === refreshed.sealedTokens || stored.sealedTokens === '';
    if (!isSameSignIn || !isUnrefreshed || stored.endedAt !== undefined) return stored;
    const { version: _, ...rest } = stored;
    return { ...rest, sealedTokens };
  });
  return openLink(vault, link).tokens.accessToken;
}

/** In multiples of `retryDelayMs`. Together about as long as a restart of the store. */
const SAVE_PAUSES = [0.25, 0.5, 1, 2, 4];

/** Retries, because with strict rotation, losing the new tokens forces the person to sign in again. */
function saveInsistently({ links, retryDelayMs = 1_000 }: Refresh, link: NewLink, version: number): Promise<boolean> {
  return retry(
    () => links.save(link, version),
    (error, failures) => {
      const pause = SAVE_PAUSES[failures - 1];
      return error instanceof StoreUnavailableError && pause !== undefined ? retryDelayMs * pause : undefined;
    },
  );
}

/** Ends the authorization. If it was refreshed concurrently, returns that token instead. */
async function endAuthorization(options: Refresh, refused: LinkedTokens, cause?: Error): Promise<string> {
  const again = await readLinkedTokens(options, options.key);
  if (isRotated(again, refused)) return again.tokens.accessToken;
  const { version, ...rest } = again.link;
  // False: it was saved meanwhile, perhaps with other tokens.
  if (!(await options.links.save({ ...rest, sealedTokens: '' }, version)))
    return endAuthorization(options, refused, cause);
  options.log.info({ ...options.key, code: 'authorization_ended' }, 'authorization ended');
  await options.onEnded?.(options.key);
  throw new AccountNotLinkedError('ended', { cause });
}

function isRotated(now: LinkedTokens, before: LinkedTokens): boolean {
  return now.tokens.refreshToken !== before.tokens.refreshToken || now.tokens.accessToken !== before.tokens.accessToken;
}
