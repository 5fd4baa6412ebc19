import { useFakeTimers } from 'sinon';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/log.ts';
import { createBestEffortBuckets, createMemoryBuckets, type TokenBuckets } from '../../../src/slack/web/buckets.ts';
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

const WANTED = [{ key: 'a', limit: 1, perMs: 60_000 }];

function open(behaviour: () => Promise<never>) {
  const logged: string[] = [];
  const buckets: TokenBuckets = { take: behaviour, block: behaviour };
  const log = createLog('info', { write: (line) => void logged.push(line) });
  return { buckets: createBestEffortBuckets(buckets, log), logged };
}

describe('token buckets whose store', () => {
  it('does not answer hold nobody up for more than a moment', async () => {
    const { buckets } = open(() => new Promise(() => undefined));
    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

    const taking = buckets.take(WANTED, 0);
    await clock.tickAsync(1_500).finally(() => clock.restore());

    expect(await taking).toBe(0);
  });

  it('fails say so once a minute', async () => {
    const clock = useFakeTimers({ toFake: ['performance'] });
    const { buckets, logged } = open(() => Promise.reject(new Error('no connection')));

    for (let call = 0; call < 100; call++) await buckets.take(WANTED, 0);
    const atFirst = logged.length;
    clock.tick(60_000);
    for (let call = 0; call < 100; call++) await buckets.block('a', 1_000);
    clock.restore();

    expect(atFirst).toBe(1);
    expect(logged).toHaveLength(2);
    expect(logged[0]).toContain('no connection');
  });
});
