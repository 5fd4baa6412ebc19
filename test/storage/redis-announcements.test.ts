import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRedisAnnouncements, type RedisAnnouncements } from '../../src/backend/redis/redis-announcements.ts';
import { createLocalAnnouncements } from '../../src/delivery/announcements.ts';
import { createLog } from '../../src/log.ts';
import { useRedis } from './own-redis.ts';

const redis = useRedis();
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
