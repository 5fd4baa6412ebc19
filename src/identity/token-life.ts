import type { TokenSet } from './account-link.ts';

const EARLY_MS = 5 * 60_000;

// A token that lives five minutes must not be due all its life.
const EARLY_SHARE = 0.2;

// A request made with the token now should still find it valid when it arrives.
const USABLE_MS = 30_000;

/**
 * Whether to refresh now, though the token still works: 5 min before its end, at most a fifth of its life. `random`
 * (0 to 1) takes up to a fifth off that lead, so that replicas do not all come at once.
 */
export function isDue(tokens: TokenSet, now: number, random: number): boolean {
  const lead = Math.min(EARLY_MS, (tokens.expiresAt - tokens.obtainedAt) * EARLY_SHARE);
  return now >= tokens.expiresAt - lead * (1 - 0.2 * random);
}

/** Whether the service will still accept the token. */
export function isUsable(tokens: TokenSet, now: number): boolean {
  return now < tokens.expiresAt - Math.min(USABLE_MS, (tokens.expiresAt - tokens.obtainedAt) * EARLY_SHARE);
}
