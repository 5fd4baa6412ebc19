import { lookUntil } from '../look-until.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { speak } from '../speak.ts';
import { inCluster } from '../under-load.ts';
import { holds, none, times } from '../verdict.ts';

const CALLERS_PER_PROCESS = 50;

const ROUND_TIMEOUT_MS = 60_000;

export const tokenRefresh: Scenario = {
  name: 'token-refresh',
  about:
    'in 50 threads for each process somebody asks, all with one token that has just expired, where refresh tokens rotate',
  counts: { redis: 30, sqlite: 30 },
  run(options) {
    const replicas = options.store === 'redis' ? 4 : 1;
    return inCluster(options, { cluster: { leaseSeconds: USUAL_LEASE_SECONDS, replicas } }, async (cluster) => {
      const { identityProvider } = cluster.world;
      identityProvider.ledger.clear();
      for (let round = 1; round <= options.count; round++) {
        identityProvider.expireAccessTokens('ana');
        const askers = Array.from({ length: replicas * CALLERS_PER_PROCESS });
        await Promise.all(askers.map(() => speak(cluster, { author: 'U0ANA' })));
        await lookUntil(() => cluster.journal.all.every(({ repliedAt }) => repliedAt !== undefined), ROUND_TIMEOUT_MS);
        options.progress(`${round} rounds, ${identityProvider.ledger.refreshes} refreshes`);
      }
      return ({ endings, acknowledged }) => {
        const { refreshes, reuseDetections } = identityProvider.ledger;
        return {
          facts: [
            ['rounds', String(options.count)],
            ['refreshes', String(refreshes)],
          ],
          criteria: [
            none('refresh tokens used twice', times(reuseDetections, 'a refresh token was reused')),
            holds('the token was refreshed in every round', refreshes >= options.count, `${refreshes} refreshes`),
            holds('all were answered', endings.answer === acknowledged, JSON.stringify(endings)),
          ],
        };
      };
    });
  },
};
