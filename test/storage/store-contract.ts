import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/backend/store.ts';
import { describeThreadStore } from './thread-store-contract.ts';
import { describeTurnStore } from './turn-store-contract.ts';

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

    describeTurnStore(current);
    describeThreadStore(current, clock);

    it('says that it answers', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}
