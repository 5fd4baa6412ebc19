// All sign-ins of a store, for operators: lists them, and ends them after a key has leaked.
import { type AccountLink, eachLink, type LinkStore } from './account-link.ts';
import { readKeyId } from './token-vault.ts';

/** The sign-ins that have tokens. `keyId`: only those whose tokens are sealed with this key. */
export async function* listSignIns(links: Pick<LinkStore, 'list'>, keyId?: string): AsyncIterable<AccountLink> {
  for await (const link of eachLink(links)) if (hasTokens(link, keyId)) yield link;
}

/**
 * Ends the sign-ins and returns how many: people have to sign in again at their next question. Their choices stay. May
 * run beside the app: skips people who sign in meanwhile, and tokens that another key seals by then.
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

/** Includes ended sign-ins, unless the operator ended them: a running refresh may store tokens there again. */
function mayHaveTokens(stored: AccountLink, keyId: string | undefined): boolean {
  return hasTokens(stored, keyId) || (stored.sealedTokens === '' && stored.endedAt === undefined);
}

function hasTokens({ sealedTokens }: AccountLink, keyId: string | undefined): boolean {
  return sealedTokens !== '' && (keyId === undefined || readKeyId(sealedTokens) === keyId);
}
