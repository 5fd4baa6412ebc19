import type { Cluster } from '../cluster.ts';
import { lookUntil } from '../look-until.ts';
import type { Scenario } from '../scenario.ts';
import { breakService } from '../strikes/break-service.ts';
import { freezeReplica } from '../strikes/freeze-replica.ts';
import { killReplica } from '../strikes/kill-replica.ts';
import { limitSlack } from '../strikes/limit-slack.ts';
import { loseAnswers } from '../strikes/lose-answers.ts';
import { rollReplica } from '../strikes/roll-replica.ts';
import { flushScripts, freezeRedis, restartRedis } from '../strikes/strike-redis.ts';
import { underLoad } from '../under-load.ts';

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
      underLoad({ cluster: options, load: options, hasZombies: true }, async (cluster, _, progress) => {
        const strikes = [...listStrikes(kills), ...(options.store === 'redis' ? STRIKES_ON_REDIS : [])];
        for (let round = 1; round <= options.count; round++) {
          const left = [...strikes];
          while (left.length > 0) {
            const [strike] = left.splice(cluster.random.below(left.length), 1);
            await strike?.(cluster);
            progress(`round ${round}, ${left.length} strikes to come`);
          }
        }
        return () => ({ facts: [['rounds', String(options.count)]] });
      }),
  };
}

async function loseSomeAnswers(cluster: Cluster): Promise<void> {
  const losing = loseAnswers(cluster);
  await lookUntil(() => losing.lost >= LOST_ANSWERS, LOST_TIMEOUT_MS);
  losing.stop();
}
