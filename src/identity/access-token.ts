import type { WithLock } from '../with-lock.ts';
import { type AccountLink, type LinkKey, type TokenSet, toLinkText } from './account-link.ts';
import { AccountNotLinkedError } from './identity-errors.ts';
import { type RefreshOptions, readLinkedTokens, refreshStoredTokens, type Unsaved } from './refresh-stored-tokens.ts';

export type AccessTokensOptions = Omit<RefreshOptions, 'unsaved'> & {
  now: () => number;
  /** One refresh at a time per key across replicas. Not needed with one process. */
  withLock?: WithLock | undefined;
  /** 0 to 1; Math.random unless a test wants to know. */
  random?: () => number;
};

// The pause after a failed early refresh. Meanwhile the token, which is still valid, is used.
const EARLY_REFRESH_PAUSE_MS = 30_000;

/**
 * All throw AccountNotLinkedError (sign in), IdentityProviderUnavailableError or TokenKeyUnknownError (retry later),
 * IdentityProviderMisconfiguredError or TokenUnreadableError (for the operator), and the errors of the store.
 */
export function createAccessTokens(options: AccessTokensOptions) {
  const { now, random = Math.random, withLock = alone } = options;
  /** The running refreshes, by toLinkText. */
  const flights = new Map<string, Promise<string>>();
  const unsaved = new Map<string, Unsaved>();
  let earlyRefreshFrom = 0;

  /** Joins the refresh in progress for this key, including its failure. */
  function refreshOnce(key: LinkKey, isNeeded: (tokens: TokenSet) => boolean): Promise<string> {
    const text = toLinkText(key);
    const joined = flights.get(text);
    if (joined) return joined;
    const flight = withLock(text, () => refreshStoredTokens({ ...options, key, isNeeded, unsaved }));
    flights.set(text, flight);
    return flight.finally(() => flights.delete(text));
  }

  /** An access token, where the person wants answers to questions in channels, and when they signed in (epoch ms). */
  async function accessFor(key: LinkKey) {
    const { link, tokens } = await readLinkedTokens(options, key);
    await noteUse(link, options);
    const accessToken = await freshen(key, tokens);
    // A different token may belong to another sign-in.
    const current = accessToken === tokens.accessToken ? link : (await readLinkedTokens(options, key)).link;
    return { accessToken, channelAnswers: current.channelAnswers, linkedAt: current.linkedAt };
  }

  async function freshen(key: LinkKey, tokens: TokenSet): Promise<string> {
    const due = (stored: TokenSet) => isDue(stored, now(), random());
    if (!due(tokens)) return tokens.accessToken;
    if (!isUsable(tokens, now())) return refreshOnce(key, due);
    if (now() < earlyRefreshFrom) return tokens.accessToken;
    try {
      return await refreshOnce(key, due);
    } catch (error) {
      if (error instanceof AccountNotLinkedError) throw error;
      earlyRefreshFrom = now() + EARLY_REFRESH_PAUSE_MS;
      options.log.warn({ err: error }, 'early token refresh failed, the old token still works');
      return tokens.accessToken;
    }
  }

  /** After the service refused `rejected` with 401: a newer stored token, or else a forced refresh. */
  async function renew(key: LinkKey, rejected: string): Promise<string> {
    const joined = await flights.get(toLinkText(key));
    if (joined !== undefined && joined !== rejected) return joined;
    return refreshOnce(key, (stored) => stored.accessToken === rejected || !isUsable(stored, now()));
  }

  return { accessFor, accessTokenFor: async (key: LinkKey) => (await accessFor(key)).accessToken, renew };
}

/** The last use decides when an unused link is deleted. A write for every question would cost too much. */
const NOTE_USE_EVERY_MS = 24 * 3_600_000;

async function noteUse({ version, ...link }: AccountLink, { links, now, log }: AccessTokensOptions): Promise<void> {
  if (now() - (link.usedAt ?? link.linkedAt) < NOTE_USE_EVERY_MS) return;
  // False: the link was saved meanwhile. Then another question notes its use.
  await links.save({ ...link, usedAt: now() }, version).catch((error: unknown) => {
    log.debug({ err: error }, 'use of a sign-in not noted');
  });
}

function alone<T>(_key: string, run: () => Promise<T>): Promise<T> {
  return run();
}

const EARLY_MS = 5 * 60_000;

// For short-lived tokens: a token that lives five minutes must not always be due.
const EARLY_SHARE = 0.2;

// The token should still be valid when the request arrives.
const USABLE_MS = 30_000;

/**
 * Whether to refresh a token that still works: 5 min before it expires, or in the last fifth of its life if that is
 * shorter. `random` (0 to 1) reduces that by up to a fifth: jitter, so that replicas do not refresh at the same time.
 */
function isDue(tokens: TokenSet, now: number, random: number): boolean {
  // Without a refresh token, the person has to sign in again.
  if (tokens.refreshToken === undefined) return !isUsable(tokens, now);
  const lead = Math.min(EARLY_MS, (tokens.expiresAt - tokens.obtainedAt) * EARLY_SHARE);
  return now >= tokens.expiresAt - lead * (1 - 0.2 * random);
}

/** Whether the service will still accept the token. */
function isUsable(tokens: TokenSet, now: number): boolean {
  return now < tokens.expiresAt - Math.min(USABLE_MS, (tokens.expiresAt - tokens.obtainedAt) * EARLY_SHARE);
}
