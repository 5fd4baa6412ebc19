import { describe, expect, it } from 'vitest';
import { forgetOld, type Store } from '../../src/backend/store.ts';
import { type AccountLink, eachLink } from '../../src/identity/account-link.ts';
import { aLink } from './a-link.ts';

const DAY_MS = 24 * 3_600_000;

type Clock = { now(): number; pass(ms: number): void };

export function describeLinkScans(current: () => Store, clock: Clock): void {
  const save = (change: Partial<AccountLink>) => current().links.save(aLink(change), 0);

  async function listAll(): Promise<AccountLink[]> {
    const found: AccountLink[] = [];
    for await (const link of eachLink(current().links)) found.push(link);
    return found;
  }

  describe('all links', () => {
    it('are listed page by page, over all workspaces', async () => {
      const users = Array.from({ length: 330 }, (_, index) => `U${String(index).padStart(4, '0')}`);
      const teamOf = (index: number) => (index % 10 === 0 ? 'T1' : 'T0');
      await Promise.all(users.map((user, index) => save({ user, team: teamOf(index), workspace: teamOf(index) })));
      await save({ user: 'U0001', team: 'T0', workspace: 'T0', purpose: 'admin' });

      const found = await listAll();

      const names = new Set(found.map(({ team, user, purpose }) => `${team}:${user}:${purpose}`));
      expect([found.length, names.size]).toEqual([331, 331]);
      expect(found[0]).toMatchObject({ version: expect.any(Number), sealedTokens: 'sealed' });
    });

    it('are listed to the end though some are deleted meanwhile', async () => {
      await Promise.all(
        Array.from({ length: 250 }, (_, index) => save({ user: `U${index}`, team: 'T1', workspace: 'T1' })),
      );
      await save({ user: 'ULAST', team: 'T2', workspace: 'T2' });
      const { next } = await current().links.list();

      await current().purge('T1');

      const rest = next === undefined ? [] : (await current().links.list(next)).links;
      expect(rest.map(({ user }) => user)).toEqual(['ULAST']);
    });
  });

  describe('a link that is deleted as it was read', () => {
    const read = async () => (await current().links.get(aLink())) ?? aLink();

    it('is left alone if it was saved since', async () => {
      await save({});
      const { version } = await read();
      await current().links.save(aLink({ accountName: 'newer' }), version);

      expect(await current().links.deleteUnchanged({ ...aLink(), version })).toBe(false);
      expect(await current().links.get(aLink())).toMatchObject({ accountName: 'newer' });
    });

    it('is gone, with its place in the list', async () => {
      await save({});
      const link = await read();

      expect(await current().links.deleteUnchanged(link)).toBe(true);
      expect(await current().links.deleteUnchanged(link)).toBe(false);
      expect(await current().links.get(aLink())).toBeUndefined();
      expect(await listAll()).toEqual([]);
    });
  });

  describe('links that nobody uses', () => {
    async function forget(linkDays = 90): Promise<string[]> {
      const forgotten: string[] = [];
      await forgetOld(current(), clock.now(), {
        days: 180,
        linkDays,
        onForgotten: async ({ user }) => void forgotten.push(user),
      });
      return forgotten;
    }

    it('are deleted after so many days, and those that are used are kept', async () => {
      await save({ user: 'UOLD', usedAt: clock.now() });
      await save({ user: 'UNEW', usedAt: clock.now() + 2 * DAY_MS });

      clock.pass(90 * DAY_MS);
      expect(await forget()).toEqual([]);
      clock.pass(DAY_MS);

      expect(await forget()).toEqual(['UOLD']);
      expect((await listAll()).map(({ user }) => user)).toEqual(['UNEW']);
    });

    it('are kept with 0', async () => {
      await save({ usedAt: 1 });
      clock.pass(5_000 * DAY_MS);

      expect(await forget(0)).toEqual([]);
    });

    it('count from the sign-in where nobody has used them since', async () => {
      await save({ linkedAt: clock.now() });

      clock.pass(90 * DAY_MS);
      expect(await forget()).toEqual([]);
      clock.pass(DAY_MS);
      expect(await forget()).toEqual(['UANA']);
    });

    it('are looked for once a day, however many replicas there are', async () => {
      clock.pass(500 * DAY_MS);
      await save({ user: 'UONE', usedAt: 1 });
      expect(await forget()).toEqual(['UONE']);
      await save({ user: 'UTWO', usedAt: 1 });

      expect(await forget()).toEqual([]);
    });
  });
}
