import { useFakeTimers } from 'sinon';
import { describe, expect, it } from 'vitest';
import { connectStore } from '../../../src/backend/redis/connect-store.ts';
import { createRedisBuckets } from '../../../src/backend/redis/redis-buckets.ts';
import { createLog } from '../../../src/log.ts';
import type { TokenBuckets } from '../../../src/slack/web/buckets.ts';
import { createBestEffortBuckets } from '../../../src/slack/web/buckets.ts';
import { startRedis } from '../../app/redis-server.ts';

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

  it('is a Redis that is frozen, and then gone, hold nobody up, and are counted again when it is back', async () => {
    const redis = await startRedis();
    const connection = await connectStore({ url: redis.url });
    const buckets = createBestEffortBuckets(createRedisBuckets(connection), createLog('silent'));
    const take = async () => {
      const begunAt = performance.now();
      return { waitMs: await buckets.take(WANTED, 0), isSoon: performance.now() - begunAt < 1_500 };
    };
    await take();

    redis.signal('SIGSTOP');
    const whileFrozen = await take();
    await redis.kill();
    const whileGone = await take();
    await redis.restart();
    await expect.poll(() => connection.client.isReady).toBe(true);
    const whenBack = await take();

    await connection.close();
    await redis.close();
    expect(whileFrozen).toEqual({ waitMs: 0, isSoon: true });
    expect(whileGone).toEqual({ waitMs: 0, isSoon: true });
    expect(whenBack.waitMs).toBeGreaterThan(0);
  });
});
