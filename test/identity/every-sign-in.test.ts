import { expect, it } from 'vitest';
import { type AccountLink, createLinks, type LinkStore } from '../../src/identity/account-link.ts';
import { endSignIns } from '../../src/identity/every-sign-in.ts';
import { aLink } from '../storage/a-link.ts';
import { createModel } from '../storage/kernel-model.ts';

const NOW = 1_800_000_000_000;
const now = () => NOW;

/** Before the first save, somebody else saves the link as `change` makes it. */
function interrupt(links: LinkStore, change: Partial<AccountLink>): LinkStore {
  let isFirst = true;
  return {
    ...links,
    async save(link, expected) {
      const stored = isFirst ? await links.get(link) : undefined;
      isFirst = false;
      if (stored) await links.save({ ...stored, ...change }, stored.version);
      return links.save(link, expected);
    },
  };
}

it.each<[string, Partial<AccountLink>, number]>([
  ['ended where their use is noted meanwhile', { usedAt: 9 }, 1],
  ['ended where their tokens are refreshed with the same key meanwhile', { sealedTokens: 'v1.k1.iv.new' }, 1],
  ['passed over where another key seals them by then', { sealedTokens: 'v1.k2.iv.new' }, 0],
  ['passed over where the person signs in anew meanwhile', { linkedAt: 99 }, 0],
  ['ended for good where the identity provider ends them meanwhile', { sealedTokens: '' }, 1],
  ['passed over where somebody else ends them meanwhile', { sealedTokens: '', endedAt: 5 }, 0],
])('all sign-ins are %s', async (_what, change, ended) => {
  const links = createLinks(createModel(now));
  await links.save(aLink({ sealedTokens: 'v1.k1.iv.body' }), 0);

  expect(await endSignIns(interrupt(links, change), { keyId: 'k1', now })).toBe(ended);
  expect(await links.get(aLink())).toMatchObject(ended === 1 ? { endedAt: NOW, sealedTokens: '' } : change);
});
