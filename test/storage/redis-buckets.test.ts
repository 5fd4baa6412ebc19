import { beforeEach, describe, expect, it } from 'vitest';
import type { StoreConnection } from '../../src/backend/redis/connect-store.ts';
import { createRedisBuckets } from '../../src/backend/redis/redis-buckets.ts';
import type { TokenBuckets } from '../../src/slack/web/buckets.ts';
import { aBucket, describeTokenBuckets, takeOften } from '../slack/web/token-buckets-contract.ts';
import { useRedis } from './own-redis.ts';

const redis = useRedis();
let first: StoreConnection;
let buckets: TokenBuckets;
let bucketsOfAnother: TokenBuckets;

beforeEach(async () => {
  first = await redis.connect();
  buckets = createRedisBuckets(first);
  bucketsOfAnother = createRedisBuckets(await redis.connect());
});

describeTokenBuckets('redis', () => buckets);

describe('redis: token buckets', () => {
  it('are counted together by all who use them', async () => {
    const wanted = [aBucket(10)];

    const waits = await Promise.all([takeOften(10, buckets, wanted), takeOften(10, bucketsOfAnother, wanted)]);

    expect(waits.flat().filter((waitMs) => waitMs === 0)).toHaveLength(10);
  });

  it('that one blocks are blocked for all', async () => {
    const bucket = aBucket(5);

    await buckets.block(bucket.key, 30_000);

    expect(await bucketsOfAnother.take([bucket], 0)).toBeGreaterThan(20_000);
  });

  it('go on, and remember a block, when Redis was restarted', async () => {
    const bucket = aBucket(5);
    await buckets.block(bucket.key, 30_000);

    await redis.restart();

    expect(await buckets.take([bucket], 0)).toBeGreaterThan(20_000);
  });

  it('are under a name of their own, and none of them stays for longer than it says something', async () => {
    await first.client.flushDb();
    const [taken, blocked, both] = [aBucket(10), aBucket(10), aBucket(10)];
    await buckets.take([taken, both], 0);
    await buckets.block(blocked.key, 30_000);
    await buckets.block(both.key, 30_000);

    const keys = await first.client.keys('*');
    const lives = await Promise.all([taken, blocked, both].map(({ key }) => first.client.pTTL(`bridge:budget:${key}`)));

    expect(keys.toSorted()).toEqual([taken, blocked, both].map(({ key }) => `bridge:budget:${key}`).toSorted());
    expect(lives[0]).toBeGreaterThan(0);
    expect(lives[0]).toBeLessThanOrEqual(6_000);
    for (const life of lives.slice(1)) expect(life).toBeGreaterThan(30_000);
    for (const life of lives) expect(life).toBeLessThanOrEqual(90_000);
  });

  it('cost one round trip, however many are asked for', async () => {
    const wanted = [aBucket(5), aBucket(5), aBucket(5)];
    await buckets.take(wanted, 0);
    const before = await countCommands();

    await buckets.take(wanted, 0);

    // The one that counts them is counted.
    expect((await countCommands()) - before).toBe(2);
  });

  it('are not blocked, and can be, where the clock of Redis was set back', async () => {
    const bucket = aBucket(5);
    await first.client.hSet(`bridge:budget:${bucket.key}`, 'blocked', Date.now() + 3_600_000);

    expect(await buckets.take([bucket], 0)).toBe(0);
    await buckets.block(bucket.key, 30_000);

    const waitMs = await buckets.take([bucket], 0);
    expect(waitMs).toBeGreaterThan(20_000);
    expect(waitMs).toBeLessThanOrEqual(30_000);
  });

  it('are empty at most where the clock of Redis was set back', async () => {
    const bucket = aBucket(60);
    await first.client.hSet(`bridge:budget:${bucket.key}`, 'full', Date.now() + 3_600_000);

    expect(await buckets.take([bucket], 0)).toBeLessThanOrEqual(1_000);
  });
});

/** Commands that clients have sent since the start; those of scripts are counted on their own. */
async function countCommands(): Promise<number> {
  const stats = await first.client.info('commandstats');
  const sent = [...stats.matchAll(/^cmdstat_(evalsha|eval|info|script\|\w+):calls=(\d+)/gm)];
  return sent.reduce((sum, [, , calls]) => sum + Number(calls), 0);
}
