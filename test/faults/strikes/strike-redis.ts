import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import type { RedisServer } from '../../app/redis-server.ts';
import type { Cluster } from '../cluster.ts';

const FROZEN_MS = 5_000;

/** Kills Redis, and starts it again on its files. */
export async function restartRedis(cluster: Cluster): Promise<void> {
  const redis = redisOf(cluster);
  await sleep(cluster.random.between(1_500, 4_000));
  await redis.kill();
  await sleep(cluster.random.between(0, 2_000));
  await redis.restart();
}

/** Freezes Redis: it takes connections, and nothing answers. */
export async function freezeRedis(cluster: Cluster): Promise<void> {
  const redis = redisOf(cluster);
  await sleep(cluster.random.between(2_000, 5_000));
  redis.signal('SIGSTOP');
  await sleep(FROZEN_MS);
  redis.signal('SIGCONT');
}

/** Has Redis forget the scripts that the app has loaded. */
export async function flushScripts(cluster: Cluster): Promise<void> {
  await sleep(cluster.random.between(100, 500));
  const client = await createClient({ url: redisOf(cluster).url }).connect();
  await client.scriptFlush();
  await client.close();
}

function redisOf({ redis }: Cluster): RedisServer {
  if (!redis) throw new Error('This is about Redis, and the store is SQLite.');
  return redis;
}
