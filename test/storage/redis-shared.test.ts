import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoreConnection } from '../../src/backend/redis/connect-store.ts';
import { createRedisAnnouncements, type RedisAnnouncements } from '../../src/backend/redis/redis-announcements.ts';
import { createRedisBuckets } from '../../src/backend/redis/redis-buckets.ts';
import { createRedisLeases } from '../../src/backend/redis/redis-leases.ts';
import type { RedisStore } from '../../src/backend/redis-store.ts';
import { createLocalAnnouncements } from '../../src/delivery/announcements.ts';
import type { LeaseStore } from '../../src/delivery/leases.ts';
import { LockBusyError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import type { TokenBuckets } from '../../src/slack/web/buckets.ts';
import { createRedisLock } from '../../src/storage/redis/redis-lock.ts';
import type { WithLock } from '../../src/with-lock.ts';
import { aTurn } from '../conversation/a-question.ts';
import { aBucket, describeTokenBuckets, takeOften } from '../slack/web/token-buckets-contract.ts';
import { useRedis } from './own-redis.ts';
import { asOperator } from './redis-world.ts';

// One Redis for all of them, which some restart.
const redis = useRedis();

describe('redis: the budgets that replicas share', () => {
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
      const lives = await Promise.all(
        [taken, blocked, both].map(({ key }) => first.client.pTTL(`bridge:budget:${key}`)),
      );

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
});

describe('redis: the lock that replicas share', () => {
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
});

describe('redis: the leases of lanes', () => {
  const LEASE_MS = 60_000;

  let store: RedisStore;
  let leases: LeaseStore;
  let one: string;
  let other: string;

  beforeEach(async () => {
    store = await redis.open();
    leases = createRedisLeases(store.connection);
    [one, other] = [randomUUID(), randomUUID()];
    for (const token of [one, other]) await leases.renew(token, LEASE_MS);
  });

  /** As after a lease without a renewal. */
  const end = (token: string) => asOperator(redis, (client) => client.del(`bridge:replica:${token}`));

  // What else is done with leases, turns.test.ts compares with a model; there a lane may be named as due too early.
  it('a lane without turns is due where its holder is gone, and neither while it is held nor once it is given up', async () => {
    const due = (token: string) => store.turns.dueLanes(Date.now(), token, ['a']);
    const before = await due(other);
    await leases.take('a', `${one}1`);
    const held = [await due(one), await due(other)];
    await end(one);

    expect([before, ...held, await due(other)]).toEqual([[], [], [], ['a']]);
    expect(await leases.take('a', `${other}1`, true)).toBe('held');
    await leases.take('a', `${other}1`);
    await leases.release([{ lane: 'a', holder: `${other}1` }]);
    expect(await due(other)).toEqual([]);
  });

  it('a turn that is accepted is due for its holder, and for the others once that is gone, which learns that when it renews', async () => {
    const { lane } = aTurn();
    expect(await store.turns.accept(aTurn(), [], `${one}1`)).toBe('taken');
    const due = (token?: string) => store.turns.dueLanes(Date.now(), token);

    expect([await due(one), await due(other), await due()]).toEqual([[lane], [], []]);
    await end(one);
    expect([await due(other), await due()]).toEqual([[lane], [lane]]);
    expect([await leases.renew(one, LEASE_MS), await leases.renew(one, LEASE_MS)]).toEqual([false, true]);
  });
});

describe('redis: what replicas tell one another', () => {
  let replicas: { announcements: RedisAnnouncements; heard: string[] }[];

  beforeEach(async () => {
    replicas = [];
    for (let index = 0; index < 2; index++) {
      const connection = await redis.connect();
      const announcements = await createRedisAnnouncements(connection, createLocalAnnouncements(), createLog('silent'));
      const heard: string[] = [];
      announcements.listen('turn-ended', (message) => heard.push(message));
      replicas.push({ announcements, heard });
    }
  });
  afterEach(() => {
    for (const { announcements } of replicas) announcements.close();
  });

  async function until(isTrue: () => boolean): Promise<void> {
    await expect.poll(isTrue).toBe(true);
  }

  describe('announcements over Redis', () => {
    it('are heard by every replica, once, by whoever listens to the topic', async () => {
      const [first, second] = replicas;
      const others: string[] = [];
      second?.announcements.listen('person-changed', (message) => others.push(message));

      first?.announcements.announce('turn-ended', 'turn-1');
      second?.announcements.announce('turn-ended', 'turn-2');
      await until(() => replicas.every(({ heard }) => heard.length > 1));
      await wait(50);

      expect(replicas.map(({ heard }) => heard.toSorted())).toEqual(Array(2).fill(['turn-1', 'turn-2']));
      expect(others).toEqual([]);
    });

    it('are heard again after Redis has been away, without anybody doing anything', async () => {
      const [first, second] = replicas;
      await redis.restart();

      let count = 0;
      await until(() => {
        first?.announcements.announce('turn-ended', `turn-${++count}`);
        return (second?.heard.length ?? 0) > 0;
      });

      expect(second?.heard.length).toBeGreaterThan(0);
    });

    it('are heard by their own replica at once, also while Redis is away', async () => {
      const [first] = replicas;
      await redis.kill();

      first?.announcements.announce('turn-ended', 'turn-1');

      expect(first?.heard).toEqual(['turn-1']);
      await redis.restart();
    });

    it('do not end with a listener that fails', async () => {
      const [first, second] = replicas;
      second?.announcements.listen('person-changed', () => {
        throw new Error('a bug');
      });

      first?.announcements.announce('person-changed', 'T1:UANA');
      first?.announcements.announce('turn-ended', 'turn-1');
      await until(() => second?.heard.length === 1);

      expect(second?.heard).toEqual(['turn-1']);
    });
  });
});
