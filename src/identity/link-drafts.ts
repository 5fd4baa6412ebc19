import type { ExpiringStore, TokenSet } from './account-link.ts';
import { createBrowserBound, type Presented } from './browser-bound.ts';
import type { SignInIntent } from './link-ticket.ts';
import { createSecret, hashSecret } from './secret.ts';
import type { TokenVault } from './token-vault.ts';

/** A finished sign-in that is not stored yet. */
export type LinkDraft = SignInIntent & { accountName?: string; account?: string; tokens: TokenSet };

/** How long the page with both names can be used. */
export const DRAFT_LIFE_MS = 10 * 60_000;

/** Finished sign-ins that wait until the person has seen both names. Encrypted, and bound to the browser. */
export type LinkDrafts = {
  /** Resolves with the secret for the page. */
  offer(draft: LinkDraft, cookie: string): Promise<string>;
  /** Both throw LinkRefusedError (`step_unknown`, `other_browser`), and what TokenVault.open throws. */
  peek(presented: Presented): Promise<LinkDraft>;
  take(presented: Presented): Promise<LinkDraft>;
};

export function createLinkDrafts(options: { once: ExpiringStore; vault: TokenVault; now: () => number }): LinkDrafts {
  const { vault } = options;
  const bound = createBrowserBound<string>('link-draft', { ...options, lifeMs: DRAFT_LIFE_MS });

  function open(sealed: string, { secret }: Presented): LinkDraft {
    const draft: LinkDraft = JSON.parse(vault.open(sealed, toRecord(secret ?? '')));
    return draft;
  }

  return {
    async offer(draft, cookie) {
      const secret = createSecret();
      await bound.put(vault.seal(JSON.stringify(draft), toRecord(secret)), { secret, cookie });
      return secret;
    },
    peek: async (presented) => open(await bound.peek(presented), presented),
    async take(presented) {
      // Opened first: a replica that lacks the key must not use it up.
      const draft = open(await bound.peek(presented), presented);
      await bound.take(presented);
      return draft;
    },
  };
}

function toRecord(secret: string): string {
  return `link-draft:${hashSecret(secret)}`;
}
