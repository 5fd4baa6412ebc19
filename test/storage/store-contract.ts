import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/backend/store.ts';
import { aLink } from './a-link.ts';
import { describeAuditStore } from './audit-store-contract.ts';
import { describeConsumptionStore } from './consumption-store-contract.ts';
import { describeInstallationStore } from './installation-store-contract.ts';
import { describeLinkScans } from './link-scan-contract.ts';
import { describePersonalRecords } from './personal-records-contract.ts';
import { describePurge } from './purge-contract.ts';
import { describeRunStore } from './run-store-contract.ts';
import { describeThreadStore } from './thread-store-contract.ts';
import { describeTurnStore } from './turn-store-contract.ts';
import { describeUsageStore } from './usage-store-contract.ts';

export type OpenStore = (now: () => number) => Promise<Store>;

/** What every store does. An adapter's test calls this with a function that opens an empty store of its kind. */
export function describeStoreContract(name: string, open: OpenStore): void {
  describe(`${name}: the store contract`, () => {
    let store: Store;
    let time = 1_000_000;
    const current = () => store;
    const clock = {
      now: () => time,
      pass(ms: number) {
        time += ms;
      },
    };

    beforeEach(async () => {
      time = 1_000_000;
      store = await open(clock.now);
    });
    afterEach(() => store.close());

    describeTurnStore(() => current().turns);
    describeThreadStore(current, clock);
    describeRunStore(current);
    describeAuditStore(current);

    describe('links', () => {
      const versionOf = async () => (await store.links.get(aLink()))?.version ?? 0;

      it('are written only over the version they were made from', async () => {
        const first = await store.links.save(aLink({ accountName: 'first' }), 0);
        const late = await store.links.save(aLink({ accountName: 'late' }), 0);
        const next = await store.links.save(aLink({ accountName: 'next' }), await versionOf());

        expect([first, late, next]).toEqual([true, false, true]);
        expect(await store.links.get(aLink())).toMatchObject({ accountName: 'next' });
      });

      it('keep the account of the directory, if it is known', async () => {
        const account = 'https://login.example.com/t/v2.0|sub|Kim|1';
        await store.links.save(aLink({ purpose: 'admin', account }), 0);
        await store.links.save(aLink(), 0);

        expect(await store.links.get(aLink({ purpose: 'admin' }))).toMatchObject({ account });
        expect(await store.links.get(aLink())).not.toHaveProperty('account');
      });

      it('of one person are one per purpose', async () => {
        await store.links.save(aLink(), 0);
        await store.links.save(aLink({ purpose: 'admin', accountName: 'kim-admin' }), 0);

        await store.links.delete(aLink());

        expect(await store.links.get(aLink())).toBeUndefined();
        expect(await store.links.get(aLink({ purpose: 'admin' }))).toMatchObject({ accountName: 'kim-admin' });
      });
    });

    describeLinkScans(current, clock);

    describe('things to use once', () => {
      it('are given to one of many takers', async () => {
        await store.once.put('ticket', 'for ana', clock.now() + 1_000);

        const taken = await Promise.all(Array.from({ length: 10 }, () => store.once.take('ticket')));

        expect(taken.filter((value) => value !== undefined)).toEqual(['for ana']);
      });

      it('are held by the first of many who claim them, and all are told who that is', async () => {
        const claims = ['one', 'two', 'three'].map((name) => store.once.claim('prompt', name, clock.now() + 1_000));

        const told = new Set(await Promise.all(claims));

        expect(told.size).toBe(1);
        expect(told).toContain(await store.once.claim('prompt', 'four', clock.now() + 1_000));
      });

      it('are each found where many are looked for at once', async () => {
        const names = Array.from({ length: 300 }, (_, number) => `ticket ${number}`);
        for (const name of names) await store.once.put(name, `of ${name}`, clock.now() + 1_000);

        const found = await Promise.all(['nothing', ...names].map((name) => store.once.peek(name)));

        expect(found).toEqual([undefined, ...names.map((name) => `of ${name}`)]);
        // To look at one is not to use it.
        expect(await store.once.take('ticket 7')).toBe('of ticket 7');
      });

      it('can be claimed anew once they were taken, or are over', async () => {
        await store.once.claim('prompt', 'one', clock.now() + 1_000);
        await store.once.take('prompt');
        expect(await store.once.claim('prompt', 'two', clock.now() + 1_000)).toBe('two');
        clock.pass(1_000);

        expect(await store.once.claim('prompt', 'three', clock.now() + 1_000)).toBe('three');
        expect(await store.once.claim('prompt', 'four', clock.now() + 1_000)).toBe('three');
      });

      it('are replaced only while they are there', async () => {
        await store.once.put('home', 'old', clock.now() + 1_000);
        await store.once.replace('home', 'new', clock.now() + 1_000);
        expect(await store.once.take('home')).toBe('new');

        await store.once.replace('home', 'newer', clock.now() + 1_000);

        expect(await store.once.peek('home')).toBeUndefined();
      });

      it('expire', async () => {
        await store.once.put('ticket', 'for ana', clock.now() + 1_000);
        clock.pass(1_000);

        expect(await store.once.peek('ticket')).toBeUndefined();
        expect(await store.once.take('ticket')).toBeUndefined();
      });
    });

    describeInstallationStore(() => current().installations);
    describePersonalRecords(current);
    describeUsageStore(() => current().usage);
    describeConsumptionStore(() => current().consumption);
    describePurge(current);

    it('says that it answers', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}
