import type { Log } from '../log.ts';
import type { AccountLink, LinkStore } from './account-link.ts';
import type { LinkDraft } from './link-code.ts';
import { sealTokens } from './sealed-tokens.ts';
import type { TokenVault } from './token-vault.ts';

/** `previous`: what the person had for this purpose before, perhaps with another account. */
export type SavedLink = { link: AccountLink; previous?: AccountLink };

/**
 * Writes the link over whatever is stored for this person and purpose, because the latest sign-in counts, and then lets
 * others know. The announcement is not waited for: neither a browser nor a modal has the time.
 */
export async function completeLink(
  options: {
    links: LinkStore;
    vault: TokenVault;
    onLinked: (saved: SavedLink) => Promise<void>;
    now: () => number;
    log: Log;
  },
  draft: LinkDraft,
): Promise<AccountLink> {
  const saved = await save(options, draft);
  const { team, user, purpose } = draft.key;
  options.log.info({ team, user, purpose, replaced: saved.previous !== undefined }, 'account linked');
  options.onLinked(saved).catch((error: unknown) => {
    options.log.warn({ err: error }, 'the announcement of a new link failed, the link is stored');
  });
  return saved.link;
}

// Each round is lost only to another save of the same link.
const SAVE_ROUNDS = 5;

async function save(
  { links, vault, now }: { links: LinkStore; vault: TokenVault; now: () => number },
  draft: LinkDraft,
): Promise<SavedLink> {
  const { key, tokens, ...rest } = draft;
  const link = { schema: 1 as const, ...key, ...rest, sealedTokens: sealTokens(vault, key, tokens), linkedAt: now() };
  for (let round = 0; round < SAVE_ROUNDS; round += 1) {
    const previous = await links.get(key);
    const expected = previous?.version ?? 0;
    if (!(await links.save(link, expected))) continue;
    return { link: { ...link, version: expected + 1 }, ...(previous && { previous }) };
  }
  throw new Error('a link was saved by others five times in a row');
}
