import { beforeEach, describe, expect, it } from 'vitest';
import { forgetOld } from '../../src/backend/store.ts';
import { type AccountLink, eachLink } from '../../src/identity/account-link.ts';
import { aLink } from './a-link.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

const DAY_MS = 24 * 3_600_000;

let store: MemoryStore;
let time: number;

beforeEach(() => {
  time = 1_000_000;
  store = createMemoryStore(() => time);
});

const save = (change: Partial<AccountLink>) => store.links.save(aLink(change), 0);

async function listAll(): Promise<AccountLink[]> {
  const found: AccountLink[] = [];
  for await (const link of eachLink(store.links)) found.push(link);
  return found;
}

describe('a link', () => {
  const read = async () => (await store.links.get(aLink())) ?? aLink();

  it('is written, and deleted as it was read, only over the version that was read', async () => {
    expect(await save({ accountName: 'first' })).toBe(true);
    expect(await save({ accountName: 'late' })).toBe(false);
    const first = await read();
    expect(await store.links.save(aLink({ accountName: 'next' }), first.version)).toBe(true);

    expect(await store.links.deleteUnchanged(first)).toBe(false);
    expect(await read()).toMatchObject({ accountName: 'next' });
    expect(await store.links.deleteUnchanged(await read())).toBe(true);
    expect(await store.links.get(aLink())).toBeUndefined();
    expect(await listAll()).toEqual([]);
  });
});

it('all links are listed page by page to the end, though some are deleted meanwhile', async () => {
  await Promise.all(
    Array.from({ length: 250 }, (_, index) => save({ user: `U${index}`, team: 'T1', workspace: 'T1' })),
  );
  await save({ user: 'ULAST', team: 'T2', workspace: 'T2' });
  expect(new Set((await listAll()).map(({ user }) => user)).size).toBe(251);
  const { next } = await store.links.list();

  await store.purge('T1');

  const rest = next === undefined ? [] : (await store.links.list(next)).links;
  expect(rest.map(({ user }) => user)).toEqual(['ULAST']);
});

describe('links that nobody uses', () => {
  async function forget(linkDays = 90): Promise<string[]> {
    const forgotten: string[] = [];
    const onForgotten = async ({ user }: AccountLink) => void forgotten.push(user);
    await forgetOld(store, time, { days: 180, linkDays, onForgotten });
    return forgotten;
  }

  it.each(['usedAt', 'linkedAt'] as const)('are deleted so many days after %s, and younger ones kept', async (last) => {
    await save({ user: 'UOLD', [last]: time });
    await save({ user: 'UNEW', [last]: time + 2 * DAY_MS });

    time += 90 * DAY_MS;
    expect(await forget()).toEqual([]);
    time += DAY_MS;

    expect(await forget()).toEqual(['UOLD']);
    expect((await listAll()).map(({ user }) => user)).toEqual(['UNEW']);
  });

  it('are kept with 0', async () => {
    await save({ usedAt: 1 });
    time += 5_000 * DAY_MS;

    expect(await forget(0)).toEqual([]);
  });

  it('are looked for once a day, however many replicas there are', async () => {
    time += 500 * DAY_MS;
    await save({ user: 'UONE', usedAt: 1 });
    expect(await forget()).toEqual(['UONE']);
    await save({ user: 'UTWO', usedAt: 1 });

    expect(await forget()).toEqual([]);
  });
});
