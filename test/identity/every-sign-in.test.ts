import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedisStore } from '../../src/backend/redis-store.ts';
import type { Store } from '../../src/backend/store.ts';
import type { AccountLink, LinkStore } from '../../src/identity/account-link.ts';
import { endSignIns, listSignIns } from '../../src/identity/every-sign-in.ts';
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

  async function listUsers({ links }: Store, keyId?: string): Promise<string[]> {
    const users: string[] = [];
    for await (const { user, purpose } of listSignIns(links, keyId)) users.push(`${user} ${purpose}`);
    return users.sort();
  }

  it('are those that have tokens, and may be those of one key alone', async () => {
    const store = await openWith(
      ...[{ user: 'U1' }, { user: 'U1', purpose: 'admin' as const }, { user: 'U2', sealedTokens: 'v1.k10.iv.body' }],
      ...[
        { user: 'U3', sealedTokens: '' },
        { user: 'U4', team: 'T2', workspace: 'T2' },
      ],
    );

    expect(await listUsers(store)).toEqual(['U1 admin', 'U1 assistant', 'U2 assistant', 'U4 assistant']);
    expect(await listUsers(store, 'k1')).toEqual(['U1 admin', 'U1 assistant', 'U4 assistant']);
    await store.close();
  });

  it('are ended, however many, each once; what people have chosen stays', async () => {
    const users = Array.from({ length: 250 }, (_, index) => ({ user: `U${index}` }));
    const store = await openWith(...users, { user: 'UANA', channelAnswers: 'private', sealed: 'names', usedAt: 7 });

    expect(await endSignIns(store.links, { now })).toBe(251);
    expect(await endSignIns(store.links, { now })).toBe(0);
    expect(await listUsers(store)).toEqual([]);
    expect(await store.links.get(aLink())).toEqual({
      ...aLink({ channelAnswers: 'private', sealed: 'names', usedAt: 7 }),
      ...{ sealedTokens: '', endedAt: NOW, version: expect.any(Number) },
    });
    await store.close();
  });

  it('of one key are ended, and others go on', async () => {
    const store = await openWith({ user: 'U1' }, { user: 'U2', sealedTokens: 'v1.k2.iv.body' });

    expect(await endSignIns(store.links, { keyId: 'k1', now })).toBe(1);
    expect(await listUsers(store)).toEqual(['U2 assistant']);
    await store.close();
  });

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
