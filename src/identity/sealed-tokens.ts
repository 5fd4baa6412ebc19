import type { AccountLink, LinkKey, TokenSet } from './account-link.ts';
import type { TokenVault } from './token-vault.ts';

/** One text per person and purpose: names locks, and ties sealed tokens to their record. */
export function toLinkText(key: LinkKey): string {
  return `link:${key.team}:${key.user}:${key.purpose}`;
}

export function sealTokens(vault: TokenVault, key: LinkKey, tokens: TokenSet): string {
  return vault.seal(JSON.stringify(tokens), toLinkText(key));
}

/** Undefined where the authorization has ended. Throws TokenKeyUnknownError and TokenUnreadableError. */
export function openTokens(vault: TokenVault, link: AccountLink): TokenSet | undefined {
  if (link.sealedTokens === '') return undefined;
  const tokens: TokenSet = JSON.parse(vault.open(link.sealedTokens, toLinkText(link)));
  return tokens;
}
