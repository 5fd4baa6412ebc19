import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedisStore } from '../../src/backend/redis-store.ts';
import type { Store } from '../../src/backend/store.ts';
import type { AccountLink, LinkStore } from '../../src/identity/account-link.ts';
import { endSignIns } from '../../src/identity/every-sign-in.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { aLink } from '../storage/a-link.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { asOperator } from '../storage/redis-world.ts';

const NOW = 1_800_000_000_000;
const now = () => NOW;

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.close());

async function openRedis(): Promise<Store> {
  await asOperator(server, (client) => client.flushAll());
  return openRedisStore({ url: server.url, now });
}

/** Before the first save, somebody else saves the link as `change` makes it. */
function interrupt(links: LinkStore, change: (stored: AccountLink) => Partial<AccountLink>): LinkStore {
  let isFirst = true;
  return {
    ...links,
    async save(link, expected) {
      const stored = isFirst ? await links.get(link) : undefined;
      isFirst = false;
      if (stored) await links.save({ ...stored, ...change(stored) }, stored.version);
      return links.save(link, expected);
    },
  };
}

describe.each([
  ['SQLite', async () => createMemoryStore(now) as Store],
  ['Redis', openRedis],
])('all sign-ins in %s', (_store, open) => {
  async function openWith(...changes: Partial<AccountLink>[]): Promise<Store> {
    const store = await open();
    for (const change of changes) await store.links.save(aLink({ sealedTokens: 'v1.k1.iv.body', ...change }), 0);
    return store;
  }

  it.each([
    ['ended where their use is noted meanwhile', () => ({ usedAt: 9 }), 1],
    ['ended where their tokens are refreshed with the same key meanwhile', () => ({ sealedTokens: 'v1.k1.iv.new' }), 1],
    ['passed over where another key seals them by then', () => ({ sealedTokens: 'v1.k2.iv.new' }), 0],
    ['passed over where the person signs in anew meanwhile', () => ({ linkedAt: 99 }), 0],
    ['ended for good where the identity provider ends them meanwhile', () => ({ sealedTokens: '' }), 1],
    ['passed over where somebody else ends them meanwhile', () => ({ sealedTokens: '', endedAt: 5 }), 0],
  ])('are %s', async (_what, change, ended) => {
    const store = await openWith({});

    expect(await endSignIns(interrupt(store.links, change), { keyId: 'k1', now })).toBe(ended);
    expect(await store.links.get(aLink())).toMatchObject(ended === 1 ? { endedAt: NOW, sealedTokens: '' } : change());
    await store.close();
  });
});
