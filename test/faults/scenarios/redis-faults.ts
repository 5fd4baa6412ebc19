import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import type { RedisServer } from '../../app/redis-server.ts';
import { watchAcknowledgements } from '../acknowledgements.ts';
import type { Cluster } from '../cluster.ts';
import { lookUntil } from '../look-until.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';

const FROZEN_MS = 5_000;

/** Kills Redis, and starts it again on its files. */
export async function restartRedis(cluster: Cluster): Promise<void> {
  const redis = redisOf(cluster);
  await sleep(cluster.random.between(1_500, 4_000));
  await startsAreOver(cluster);
  await redis.kill();
  await sleep(cluster.random.between(0, 2_000));
  await redis.restart();
}

/** Freezes Redis: it takes connections, and nothing answers. */
export async function freezeRedis(cluster: Cluster): Promise<void> {
  const redis = redisOf(cluster);
  await sleep(cluster.random.between(2_000, 5_000));
  await startsAreOver(cluster);
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

const START_MS = 60_000;

/** A replica that starts without a Redis ends with a sentence. Nobody here would start it again, as a supervisor does. */
async function startsAreOver({ replicas }: Cluster): Promise<void> {
  await lookUntil(() => replicas.every(({ state }) => state !== 'starting'), START_MS);
}

function redisOf({ redis }: Cluster): RedisServer {
  if (!redis) throw new Error('This is about Redis, and the store is SQLite.');
  return redis;
}

const FAULTS: [name: string, count: number, strike: (cluster: Cluster) => Promise<void>, about: string][] = [
  ['redis-restarts', 50, restartRedis, 'kill -9 of Redis (appendfsync always), which starts again on its files'],
  ['redis-freezes', 20, freezeRedis, 'Redis frozen for five seconds (SIGSTOP), then let go on'],
  ['script-flushes', 100, flushScripts, 'SCRIPT FLUSH: Redis forgets the scripts that the app has loaded'],
];

/** Nobody kills a replica here: each answers every delivery in time, whatever becomes of Redis. */
export const redisFaults: Scenario[] = FAULTS.map(([name, count, strike, about]) => ({
  ...{ name, about, counts: { redis: count } },
  run: (options) =>
    strikeOften(options, { cluster: { leaseSeconds: USUAL_LEASE_SECONDS } }, (cluster) => {
      const acknowledgements = watchAcknowledgements(cluster.balancer);
      return { unit: 'times', strike: () => strike(cluster), judge: () => acknowledgements.judge() };
    }),
}));
