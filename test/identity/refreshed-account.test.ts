import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LinkKey, RefreshedTokens } from '../../src/identity/account-link.ts';
import { refreshStoredTokens } from '../../src/identity/refresh-stored-tokens.ts';
import { createTokenVault, openTokens, sealTokens } from '../../src/identity/token-vault.ts';
import { createLog } from '../../src/log.ts';
import { aLink } from '../storage/a-link.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

const KIM: LinkKey = { team: 'T1', user: 'UKIM', purpose: 'admin' };
const TOKENS = { accessToken: 'a', refreshToken: 'r', obtainedAt: 0, expiresAt: 1 };

/** Kim's link, with this account; each refresh tells one of `told`. */
async function refreshLink(account: string | undefined, told: (string | undefined)[]) {
  const { links } = createMemoryStore();
  const vault = createTokenVault([{ id: 'k', key: randomBytes(32) }]);
  const sealedTokens = sealTokens(vault, KIM, TOKENS);
  await links.save(aLink({ ...KIM, sealedTokens, ...(account !== undefined && { account }) }), 0);
  for (const one of told) {
    const fresh: RefreshedTokens = { ...TOKENS, ...(one !== undefined && { account: one }) };
    const refresh = async () => fresh;
    await refreshStoredTokens({ links, vault, refresh, log: createLog('silent'), key: KIM, isNeeded: () => true });
  }
  const link = await links.get(KIM);
  return { account: link?.account, tokens: link && openTokens(vault, link) };
}

describe('the account of a link', () => {
  it('is learned from a refresh, where an earlier release did not store it', async () => {
    expect((await refreshLink(undefined, [undefined])).account).toBeUndefined();
    expect((await refreshLink(undefined, [undefined, 'issuer|oid|kim'])).account).toBe('issuer|oid|kim');
  });

  it('stays that of the sign-in, whatever a refresh tells', async () => {
    expect((await refreshLink('issuer|oid|kim', ['issuer|oid|other', undefined])).account).toBe('issuer|oid|kim');
  });

  it('is not stored with the tokens', async () => {
    expect((await refreshLink(undefined, ['issuer|oid|kim'])).tokens).toEqual(TOKENS);
  });
});
