import { beforeEach, describe, expect, it } from 'vitest';
import { claimReview } from '../../../src/governance/review/review-claim.ts';
import { createExclusively } from '../../../src/governance/shell/concurrency.ts';
import type { ExpiringStore } from '../../../src/identity/account-link.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const KIM = { team: 'T1', user: 'U1' };

let now: number;
let reviewRuns: ExpiringStore;

beforeEach(() => {
  now = 1_000_000;
  reviewRuns = createMemoryStore(() => now).once;
});

/** As one replica sees it: what is stored is shared, and so is the lock. */
const exclusively = createExclusively();
const claim = (person = KIM) =>
  claimReview(person, {
    reviewRuns,
    exclusively,
    now: () => now,
  });

describe('the claim of a review', () => {
  it('is had by one of those who ask at once, and by others for themselves', async () => {
    const claims = await Promise.all([claim(), claim(), claim()]);

    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claim({ ...KIM, user: 'U2' })).toBeDefined();
    expect(await claim({ ...KIM, team: 'T2' })).toBeDefined();
  });

  it('is free again when it is released', async () => {
    await (await claim())?.release();

    expect(await claim()).toMatchObject({ abandonedTs: undefined });
  });

  it('is kept as long as its review says that it is still at it', async () => {
    const mine = await claim();

    for (let beat = 0; beat < 10; beat += 1) {
      now += 29_000;
      await mine?.beat('1.1');
    }

    expect(await claim()).toBeUndefined();
  });

  it('passes on where its review was killed, with the message that still says that it runs', async () => {
    await (await claim())?.beat('1.1');
    now += 30_000;

    expect(await claim()).toMatchObject({ abandonedTs: '1.1' });
    expect(await claim()).toBeUndefined();
  });
});
