import { watchRecovery } from '../recovery.ts';
import type { Scenario } from '../scenario.ts';
import { killReplica } from '../strikes/kill-replica.ts';
import { underLoad } from '../under-load.ts';
import { atMost, none, percentile, toPercentiles } from '../verdict.ts';

/** How much longer than a lease what a dead replica left open may take, at p95. */
const RECOVERY_IN_LEASES = 1.7;

/** How long after the last death the last of what it left open may come, in ms. */
const BACKLOG_MS = 15_000;

export const kills: Scenario = {
  name: 'kills',
  about: 'kill -9 of a random replica, which starts again; answers in direct messages are streamed',
  counts: { redis: 1_000, sqlite: 300 },
  run: (options) =>
    underLoad({ cluster: { ...options, isStreamed: true }, load: options }, async (cluster, _, progress) => {
      const recovery = watchRecovery(cluster.journal);
      for (let killed = 1; killed <= options.count; killed++) {
        await killReplica(cluster, recovery);
        progress(`${killed} kills`);
      }
      const [lastKillAt, backlog] = [Date.now(), cluster.journal.open()];
      return () => {
        // Nobody misses the answer to what was deleted meanwhile.
        const missed = backlog.filter(({ isDeleted }) => !isDeleted);
        const ends = missed.map(({ repliedAt = Number.POSITIVE_INFINITY }) => repliedAt - lastKillAt);
        const gaveUp = cluster.journal.all.filter(({ ending, chats }) => ending === 'failed' && chats.length === 0);
        const { inChannels, direct } = recovery.times();
        const limitMs = RECOVERY_IN_LEASES * cluster.leaseMs;
        const p95 = atMost('recovery in channels at p95', percentile(inChannels, 0.95), limitMs, 'ms');
        return {
          facts: [
            ['kills', String(options.count)],
            ['recovery in channels', toPercentiles(inChannels)],
            ['recovery of streamed answers', toPercentiles(direct)],
          ],
          // SQLite knows no lease: the next process goes on as soon as it is up.
          criteria: [
            ...(options.store === 'redis' ? [p95] : []),
            atMost('backlog gone after the last kill', Math.max(0, ...ends), BACKLOG_MS, 'ms'),
            none(
              'given up without being asked',
              gaveUp.map(({ number }) => `item ${number}`),
            ),
          ],
        };
      };
    }),
};
