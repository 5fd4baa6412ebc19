import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Bucket, TokenBuckets } from '../../../src/slack/web/buckets.ts';

let count = 0;

/** A bucket that nobody has used yet. */
export function aBucket(limit: number, perMs = 60_000): Bucket {
  return { key: `bucket-${++count}`, limit, perMs };
}

/** Takes so often at once, and returns the waits in order. */
export function takeOften(times: number, buckets: TokenBuckets, wanted: Bucket[], reserve = 0): Promise<number[]> {
  return Promise.all(Array.from({ length: times }, () => buckets.take(wanted, reserve)));
}

export function describeTokenBuckets(name: string, current: () => TokenBuckets): void {
  describe(`${name}: token buckets`, () => {
    it('give as many tokens at once as the limit says, and then say how long there is none', async () => {
      const [first, second, third, refused = 0] = await takeOften(4, current(), [aBucket(3)]);

      expect([first, second, third]).toEqual([0, 0, 0]);
      expect(refused).toBeGreaterThan(10_000);
      expect(refused).toBeLessThanOrEqual(20_000);
    });

    it('give another token after the wait that they named', async () => {
      const wanted = [aBucket(2, 600)];
      const [, , refused = 0] = await takeOften(3, current(), wanted);

      await sleep(refused + 2);

      expect(refused).toBeGreaterThan(0);
      expect(await current().take(wanted, 0)).toBe(0);
    });

    it('fill up to the limit and no further', async () => {
      const wanted = [aBucket(2, 600)];
      await takeOften(2, current(), wanted);

      await sleep(1_200);

      expect(await takeOften(3, current(), wanted)).toEqual([0, 0, expect.toSatisfy((waitMs) => waitMs > 0)]);
    });

    it('give a token of each bucket or of none', async () => {
      const [small, large] = [aBucket(1), aBucket(2)];

      const both = await takeOften(2, current(), [small, large]);
      const rest = await takeOften(2, current(), [large]);

      expect(both).toEqual([0, expect.toSatisfy((waitMs) => waitMs > 0)]);
      expect(rest).toEqual([0, expect.toSatisfy((waitMs) => waitMs > 0)]);
    });

    it('name the longest of the waits', async () => {
      const wanted = [aBucket(1, 600_000), aBucket(1)];

      const [, refused] = await takeOften(2, current(), wanted);

      expect(refused).toBeGreaterThan(500_000);
    });

    it('leave the reserve to those who ask for all', async () => {
      const wanted = [aBucket(10)];

      const unimportant = await takeOften(6, current(), wanted, 0.5);
      const important = await takeOften(6, current(), wanted, 0);

      expect(unimportant.map((waitMs) => waitMs > 0)).toEqual([false, false, false, false, false, true]);
      expect(important.map((waitMs) => waitMs > 0)).toEqual([false, false, false, false, false, true]);
    });

    it('give a token of a full bucket to anybody, however small it is', async () => {
      expect(await current().take([aBucket(1)], 0.5)).toBe(0);
    });

    it('give none while a bucket is blocked, and take none of the others', async () => {
      const [blocked, free] = [aBucket(5), aBucket(1)];
      await current().block(blocked.key, 30_000);

      const waitMs = await current().take([free, blocked], 0);

      expect(waitMs).toBeGreaterThan(20_000);
      expect(waitMs).toBeLessThanOrEqual(30_000);
      expect(await current().take([free], 0)).toBe(0);
    });

    it.each([
      [30_000, 1_000],
      [1_000, 30_000],
    ])('are blocked for the longest that was said: %i ms and %i ms', async (firstMs, secondMs) => {
      const bucket = aBucket(5);

      await current().block(bucket.key, firstMs);
      await current().block(bucket.key, secondMs);

      expect(await current().take([bucket], 0)).toBeGreaterThan(20_000);
    });

    it('are blocked for ten minutes at the most', async () => {
      const bucket = aBucket(5);

      await current().block(bucket.key, 999_999_999_000);

      expect(await current().take([bucket], 0)).toBeLessThanOrEqual(600_000);
    });

    it('have one token after a block, and then as many as come', async () => {
      const wanted = [aBucket(5)];
      await takeOften(1, current(), wanted);
      await current().block(wanted[0]?.key ?? '', 300);

      await sleep((await current().take(wanted, 0)) + 2);

      expect(await takeOften(2, current(), wanted)).toEqual([0, expect.toSatisfy((waitMs) => waitMs > 10_000)]);
    });
  });
}
