// All sign-ins of a store, for operators: to look at them, and to end them after a key has leaked.
import { type AccountLink, eachLink, type LinkStore } from './account-link.ts';
import { readKeyId } from './token-vault.ts';

/** Those that have tokens. `keyId`: only those whose tokens are sealed with this key. */
export async function* listSignIns(links: Pick<LinkStore, 'list'>, keyId?: string): AsyncIterable<AccountLink> {
  for await (const link of eachLink(links)) if (hasTokens(link, keyId)) yield link;
}

/**
 * Ends them, and returns how many: everybody has to sign in again at their next question. What they have chosen stays. May
 * run beside the app; whoever signs in meanwhile, or whose tokens another key seals by then, is passed over.
 */
export async function endSignIns(
  links: Pick<LinkStore, 'get' | 'list' | 'save'>,
  { keyId, now }: { keyId?: string | undefined; now(): number },
): Promise<number> {
  let ended = 0;
  for await (const found of listSignIns(links, keyId)) {
    let stored: AccountLink | undefined = found;
    while (stored && stored.linkedAt === found.linkedAt && mayHaveTokens(stored, keyId)) {
      const { version, ...link } = stored;
      if (await links.save({ ...link, sealedTokens: '', endedAt: now() }, version)) {
        ended += 1;
        break;
      }
      stored = await links.get(found);
    }
  }
  return ended;
}

/** A refresh that still runs saves its tokens over an end that is not the operator's. */
function mayHaveTokens(stored: AccountLink, keyId: string | undefined): boolean {
  return hasTokens(stored, keyId) || (stored.sealedTokens === '' && stored.endedAt === undefined);
}

function hasTokens({ sealedTokens }: AccountLink, keyId: string | undefined): boolean {
  return sealedTokens !== '' && (keyId === undefined || readKeyId(sealedTokens) === keyId);
}
