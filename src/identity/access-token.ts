import type { WithLock } from '../with-lock.ts';
import type { AccountLink, LinkKey, TokenSet } from './account-link.ts';
import { AccountNotLinkedError } from './identity-errors.ts';
import { type RefreshOptions, readLinkedTokens, refreshStoredTokens } from './refresh-stored-tokens.ts';
import { toLinkText } from './token-vault.ts';

/**
 * All throw AccountNotLinkedError (sign in), IdentityProviderUnavailableError or TokenKeyUnknownError (later),
 * IdentityProviderMisconfiguredError or TokenUnreadableError (the operator), and what the store throws.
 */
export type AccessTokens = {
  accessTokenFor(key: LinkKey): Promise<string>;
  /** The same, and where answers are to go that were asked for with this sign-in. */
  accessFor(key: LinkKey): Promise<{ accessToken: string } & Pick<AccountLink, 'channelAnswers'>>;
  /** After the service refused `rejected` with 401: the newer token that is stored, or else a forced refresh. */
  renew(key: LinkKey, rejected: string): Promise<string>;
};

export type AccessTokensOptions = RefreshOptions & {
  now: () => number;
  /** One at a time per key across replicas. Without it, one process is alone with the store. */
  withLock?: WithLock | undefined;
  /** 0 to 1; Math.random unless a test wants to know. */
  random?: () => number;
};

// While the token still works, an identity provider that is down is not asked before every question.
const EARLY_REFRESH_PAUSE_MS = 30_000;

export function createAccessTokens(options: AccessTokensOptions): AccessTokens {
  const { now, random = Math.random, withLock = alone } = options;
  const flights = createSingleFlight<string>();
  let earlyRefreshFrom = 0;

  const refreshOnce = (key: LinkKey, isNeeded: (tokens: TokenSet) => boolean): Promise<string> =>
    flights.run(toLinkText(key), () =>
      withLock(toLinkText(key), () => refreshStoredTokens({ ...options, key, isNeeded })),
    );

  async function accessTokenFor(key: LinkKey): Promise<string> {
    const { tokens } = await readLinkedTokens(options, key);
    return freshen(key, tokens);
  }

  async function accessFor(key: LinkKey) {
    const { link, tokens } = await readLinkedTokens(options, key);
    const accessToken = await freshen(key, tokens);
    // Another token may be of another sign-in.
    const { channelAnswers } = accessToken === tokens.accessToken ? link : (await readLinkedTokens(options, key)).link;
    return { accessToken, channelAnswers };
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

  async function renew(key: LinkKey, rejected: string): Promise<string> {
    const joined = await flights.current(toLinkText(key));
    if (joined !== undefined && joined !== rejected) return joined;
    return refreshOnce(key, (stored) => stored.accessToken === rejected || !isUsable(stored, now()));
  }

  return { accessTokenFor, accessFor, renew };
}

function alone<T>(_key: string, run: () => Promise<T>): Promise<T> {
  return run();
}

const EARLY_MS = 5 * 60_000;

// A token that lives five minutes must not be due all its life.
const EARLY_SHARE = 0.2;

// A request made with the token now should still find it valid when it arrives.
const USABLE_MS = 30_000;

/**
 * Whether to refresh now, though the token still works: 5 min before its end, at most a fifth of its life. `random`
 * (0 to 1) takes up to a fifth off that lead, so that replicas do not all come at once.
 */
function isDue(tokens: TokenSet, now: number, random: number): boolean {
  const lead = Math.min(EARLY_MS, (tokens.expiresAt - tokens.obtainedAt) * EARLY_SHARE);
  return now >= tokens.expiresAt - lead * (1 - 0.2 * random);
}

/** Whether the service will still accept the token. */
function isUsable(tokens: TokenSet, now: number): boolean {
  return now < tokens.expiresAt - Math.min(USABLE_MS, (tokens.expiresAt - tokens.obtainedAt) * EARLY_SHARE);
}

type SingleFlight<T> = {
  /** Runs `start`, or joins the run that is under way for this key, its failure included. */
  run(key: string, start: () => Promise<T>): Promise<T>;
  /** The run that is under way for this key. */
  current(key: string): Promise<T> | undefined;
};

function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Promise<T>>();
  return {
    run(key, start) {
      const joined = flights.get(key);
      if (joined) return joined;
      const flight = start().finally(() => flights.delete(key));
      flights.set(key, flight);
      return flight;
    },
    current: (key) => flights.get(key),
  };
}
