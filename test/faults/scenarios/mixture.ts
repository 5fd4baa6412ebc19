import type { Cluster } from '../cluster.ts';
import type { Scenario } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';
import { killReplica } from './kills.ts';
import { loseAnswers } from './lost-answers.ts';
import { limitSlack } from './rate-limit-storm.ts';
import { flushScripts, freezeRedis, restartRedis } from './redis-faults.ts';
import { rollReplica } from './rolling-restarts.ts';
import { breakService } from './service-faults.ts';
import { freezeReplica, WITH_ZOMBIES } from './zombies.ts';

type Strike = (cluster: Cluster) => Promise<unknown>;

/** What a round is made of, in an order of its own: so many kills, and as often a service that misbehaves. */
const listStrikes = (kills: number): Strike[] => [
  ...Array.from({ length: kills }, () => (cluster: Cluster) => killReplica(cluster)),
  ...Array.from({ length: kills }, () => (cluster: Cluster) => breakService(cluster)),
  limitSlack,
  ({ replicas, random }) => rollReplica(random.pick(replicas.filter(({ state }) => state === 'up'))),
  loseSomeAnswers,
];

/** And where there are several replicas on a Redis. */
const STRIKES_ON_REDIS: Strike[] = [freezeReplica, restartRedis, freezeRedis, flushScripts, flushScripts];

const LOST_ANSWERS = 5;
const LOST_TIMEOUT_MS = 10_000;

export const mixture = createMixture(10);

/** For one round beside all other tests. */
export const shortMixture = createMixture(4);

function createMixture(kills: number): Scenario {
  return {
    name: 'mixture',
    about: `all of these, one after the other in any order: so many rounds, each with ${kills} kills`,
    counts: { redis: 20, sqlite: 20 },
    run: (options) =>
      strikeOften(options, WITH_ZOMBIES, (cluster) => ({
        unit: 'rounds',
        strike: () =>
          playRound(cluster, [...listStrikes(kills), ...(options.store === 'redis' ? STRIKES_ON_REDIS : [])]),
      })),
  };
}

/** All of these, in any order. */
export async function playRound(cluster: Cluster, strikes: readonly Strike[]): Promise<void> {
  const left = [...strikes];
  while (left.length > 0) {
    const [strike] = left.splice(cluster.random.below(left.length), 1);
    await strike?.(cluster);
  }
}

function loseSomeAnswers(cluster: Cluster): Promise<number> {
  const givenUpAt = performance.now() + LOST_TIMEOUT_MS;
  return loseAnswers(cluster, LOST_ANSWERS, () => performance.now() > givenUpAt);
}
