import { setTimeout as sleep } from 'node:timers/promises';
import { watchAcknowledgements } from '../acknowledgements.ts';
import type { Cluster } from '../cluster.ts';
import { type Scenario, type ScenarioOptions, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { flushScripts, freezeRedis, restartRedis } from '../strikes/strike-redis.ts';
import { underLoad } from '../under-load.ts';
import type { Verdict } from '../verdict.ts';

const REST_MS = 1_000;

export const redisRestarts: Scenario = {
  name: 'redis-restarts',
  about: 'kill -9 of Redis (appendfsync always), which starts again on its files',
  counts: { redis: 50 },
  run: (options) => strikeRedis(options, restartRedis),
};

export const redisFreezes: Scenario = {
  name: 'redis-freezes',
  about: 'Redis frozen for five seconds (SIGSTOP), then let go on',
  counts: { redis: 20 },
  run: (options) => strikeRedis(options, freezeRedis),
};

export const scriptFlushes: Scenario = {
  name: 'script-flushes',
  about: 'SCRIPT FLUSH: Redis forgets the scripts that the app has loaded',
  counts: { redis: 100 },
  run: (options) => strikeRedis(options, flushScripts),
};

/** Nobody kills a replica here: each answers every delivery in time, whatever becomes of Redis. */
function strikeRedis(options: ScenarioOptions, strike: (cluster: Cluster) => Promise<void>): Promise<Verdict> {
  const setting = { cluster: { ...options, leaseSeconds: USUAL_LEASE_SECONDS }, load: options };
  return underLoad(setting, async (cluster, _, progress) => {
    const acknowledgements = watchAcknowledgements(cluster.balancer);
    for (let struck = 1; struck <= options.count; struck++) {
      await strike(cluster);
      progress(`${struck} times`);
    }
    await sleep(REST_MS);
    return () => ({
      facts: [['times', String(options.count)], ...acknowledgements.counts()],
      criteria: [acknowledgements.criterion()],
    });
  });
}
