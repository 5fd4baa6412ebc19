import { startCluster } from '../cluster.ts';
import { lookUntil } from '../look-until.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { settle } from '../settle.ts';
import { speak } from '../speak.ts';
import { holds, none, toCriteria, toFacts } from '../verdict.ts';

const CALLERS_PER_PROCESS = 50;

const ROUND_TIMEOUT_MS = 60_000;

export const tokenRefresh: Scenario = {
  name: 'token-refresh',
  about:
    'in 50 threads for each process somebody asks, all with one token that has just expired, where refresh tokens rotate',
  counts: { redis: 30, sqlite: 30 },
  async run(options) {
    const replicas = options.store === 'redis' ? 4 : 1;
    const cluster = await startCluster({ ...options, leaseSeconds: USUAL_LEASE_SECONDS, replicas });
    const { identityProvider } = cluster.world;
    try {
      identityProvider.ledger.clear();
      for (let round = 1; round <= options.count; round++) {
        identityProvider.expireAccessTokens('ana');
        const askers = Array.from({ length: replicas * CALLERS_PER_PROCESS });
        await Promise.all(askers.map(() => speak(cluster, { author: 'U0ANA' })));
        await lookUntil(() => cluster.journal.all.every(({ repliedAt }) => repliedAt !== undefined), ROUND_TIMEOUT_MS);
        options.progress(`${round} rounds, ${identityProvider.ledger.refreshes} refreshes`);
      }
      const tally = await settle(cluster);
      const { refreshes, reuseDetections } = identityProvider.ledger;
      return {
        facts: [...toFacts(tally), ['rounds', String(options.count)], ['refreshes', String(refreshes)]],
        criteria: [
          ...toCriteria(tally),
          none(
            'refresh tokens used twice',
            Array.from({ length: reuseDetections }, () => 'a refresh token was reused'),
          ),
          holds('the token was refreshed in every round', refreshes >= options.count, `${refreshes} refreshes`),
          holds('all were answered', tally.endings.answer === tally.acknowledged, JSON.stringify(tally.endings)),
        ],
      };
    } finally {
      await cluster.close();
    }
  },
};
