import { describe, expect, it } from 'vitest';
import { createMemoryBuckets } from '../../../src/slack/web/buckets.ts';
import { aBucket, describeTokenBuckets, takeOften } from './token-buckets-contract.ts';

const buckets = createMemoryBuckets(() => performance.now());

describeTokenBuckets('memory', () => buckets);

describe('memory: token buckets', () => {
  it('give no more than the limit for as long as they are asked', async () => {
    let now = 0;
    const wanted = [aBucket(50)];
    const counted = createMemoryBuckets(() => now);
    let given = 0;

    for (; now < 600_000; now += 100) given += (await counted.take(wanted, 0)) === 0 ? 1 : 0;

    // Ten minutes of them, and what was in the bucket at first.
    expect(given).toBe(10 * 50 + 49);
  });

  it('forget those that nobody asked about for long, and no others', async () => {
    const counted = createMemoryBuckets(() => 0);
    const [used, unused] = [aBucket(2), aBucket(2)];
    await counted.block(used.key, 30_000);
    await counted.block(unused.key, 30_000);

    for (let other = 0; other < 60_000; other++) {
      await counted.take([aBucket(1)], 0);
      if (other % 10_000 === 0) await counted.take([used], 0);
    }

    expect(await counted.take([used], 0)).toBe(30_000);
    expect(await takeOften(2, counted, [unused])).toEqual([0, 0]);
  });
});
