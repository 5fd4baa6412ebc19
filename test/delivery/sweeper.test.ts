import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/backend/store.ts';
import { createSweeper, type SweepPorts } from '../../src/delivery/sweeper.ts';
import { createLog } from '../../src/log.ts';
import { aTurn } from '../conversation/a-question.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

describe('the sweeper', () => {
  let store: Store;
  let woken: string[];

  beforeEach(() => {
    store = createMemoryStore(() => 1_000);
    woken = [];
  });

  function aSweeper(change: Partial<SweepPorts> = {}) {
    return createSweeper({
      turns: store.turns,
      isLinked: async () => false,
      wake: (lane) => void woken.push(lane),
      lookForLeavers: () => undefined,
      forgetOld: async () => 0,
      everyMs: 15_000,
      now: () => 1_000,
      log: createLog('silent'),
      ...change,
    });
  }

  it('leaves alone what is not its time, and asks to be woken itself', async () => {
    await store.turns.accept(aTurn({ lane: 'open' }));
    await store.turns.accept(aTurn({ id: 'parked', lane: 'parked', stage: 'parked', notBefore: 9_000 }));

    const next = await aSweeper()();

    expect(woken).toEqual([]);
    expect(next).toBeGreaterThan(1_000);
  });

  it('lets a parked question run whose asker has signed in meanwhile', async () => {
    await store.turns.accept(aTurn({ stage: 'parked', notBefore: 9_000 }));

    await aSweeper({ isLinked: async () => true })();

    expect(woken).toEqual([aTurn().lane]);
    expect(await store.turns.get(aTurn().id)).toMatchObject({ stage: 'accepted' });
  });

  it('ends a parked question after its day, with a word to the person', async () => {
    await store.turns.accept(aTurn({ stage: 'parked', notBefore: 1_000 }));

    await aSweeper()();

    expect(woken).toEqual([aTurn().lane]);
    expect(await store.turns.get(aTurn().id)).toMatchObject({
      stage: 'answered',
      outcome: { kind: 'notice', code: 'sign_in_expired' },
    });
  });

  it('removes old records, but not at every sweep', async () => {
    let count = 0;
    const sweep = aSweeper({ forgetOld: async () => count++, now: () => 10_000_000 });

    await sweep();
    await sweep();

    expect(count).toBe(1);
  });
});
