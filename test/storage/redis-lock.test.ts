import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoreConnection } from '../../src/backend/redis/connect-store.ts';
import { LockBusyError } from '../../src/errors.ts';
import { createRedisLock } from '../../src/storage/redis/redis-lock.ts';
import type { WithLock } from '../../src/with-lock.ts';
import { useRedis } from './own-redis.ts';
import { asOperator } from './redis-world.ts';

const redis = useRedis();
let connections: StoreConnection[];
let locks: WithLock[];

beforeEach(async () => {
  connections = await Promise.all([redis.connect(), redis.connect()]);
  locks = connections.map((connection) => createRedisLock(connection));
});

describe('the lock', () => {
  it('lets one run at a time per key, across instances, and each of them in the end', async () => {
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await wait(10);
      running -= 1;
      return 'done';
    };

    const results = await Promise.all([...locks, ...locks, ...locks].map((withLock) => withLock('key', work)));

    expect(most).toBe(1);
    expect(results).toEqual(Array(6).fill('done'));
  });

  it('does not hold up other keys', async () => {
    const [first, second] = locks;
    const order: string[] = [];
    const slow = first?.('slow', async () => {
      await wait(300);
      order.push('slow');
    });

    await second?.('quick', async () => void order.push('quick'));
    await slow;

    expect(order).toEqual(['quick', 'slow']);
  });

  it('is given back when the work fails', async () => {
    const [first, second] = locks;

    await expect(first?.('key', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');

    expect(await second?.('key', async () => 'mine')).toBe('mine');
  });

  it('is given back by the holder alone', async () => {
    const [first] = locks;

    await first?.('key', async () => {
      await asOperator(redis, (client) => client.set('bridge:lock:key', 'somebody else'));
    });
    await first?.('another', async () => undefined);

    expect(await asOperator(redis, (client) => client.get('bridge:lock:key'))).toBe('somebody else');
  });

  it('lives longer than its time while the work goes on', async () => {
    const [first, second] = connections.map((connection) => createRedisLock(connection, SHORT));
    const order: string[] = [];

    const long = first?.('key', async () => {
      await wait(3 * SHORT.lifeMs);
      order.push('first');
    });
    await wait(50);
    await second?.('key', async () => void order.push('second'));
    await long;

    expect(order).toEqual(['first', 'second']);
  });

  it('ends with its time when its holder has died', async () => {
    const [first] = locks;
    await asOperator(redis, (client) => client.set('bridge:lock:key', 'of the dead', { PX: 300 }));

    expect(await first?.('key', async () => 'mine')).toBe('mine');
  });

  it('that is not given back is not waited for for ever', async () => {
    const [first] = connections.map((connection) => createRedisLock(connection, { ...SHORT, waitMs: 300 }));
    await asOperator(redis, (client) => client.set('bridge:lock:key', 'for ever'));

    const waiting = first?.('key', async () => undefined);

    await expect(waiting).rejects.toBeInstanceOf(LockBusyError);
    await expect(waiting).rejects.toMatchObject({ code: 'busy' });
  });

  it('leaves no key behind', async () => {
    const [first] = locks;

    await first?.('key', async () => undefined);
    await first?.('another', async () => undefined);

    await connections[0]?.close();
    expect(await asOperator(redis, (client) => client.keys('*'))).toEqual([]);
  });
});

const SHORT = { lifeMs: 500, extendEveryMs: 100, waitMs: 10_000 };
