import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import type { Said } from '../journal.ts';
import { watchRecovery } from '../recovery.ts';
import type { Scenario } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';
import { atMost, none, percentile, toPercentiles } from '../verdict.ts';

/** From one replica being up again to the next kill. */
const LIFE_MS = { from: 200, to: 2_000 };

/** Now and then the next kill comes while the last victim is still starting. */
const SOON_SHARE = 0.05;

/** How much longer than a lease what a dead replica left open may take, at p95. */
const RECOVERY_IN_LEASES = 1.7;

/** How long after the last death the last of what it left open may come, in ms. */
const BACKLOG_MS = 15_000;

/** Lets them live for a moment, then kills one at random, which starts again. */
export async function killReplica({ replicas, random }: Cluster, onDeath: () => void = () => undefined): Promise<void> {
  await sleep(random.between(LIFE_MS.from, LIFE_MS.to));
  const alive = replicas.filter(({ state }) => state === 'up');
  if (alive.length === 0) throw new Error(`no replica is up: ${replicas.map(({ crashes }) => crashes).join('\n')}`);
  const victim = random.pick(alive);
  onDeath();
  await victim.kill();
  // That it does not start again is noted among its crashes.
  const started = victim.start().catch(() => undefined);
  if (alive.length === 1 || !random.chance(SOON_SHARE)) await started;
}

export const kills: Scenario = {
  name: 'kills',
  about: 'kill -9 of a random replica, which starts again; answers in direct messages are streamed',
  counts: { redis: 1_000, sqlite: 300 },
  run: (options) =>
    strikeOften(options, { cluster: { isStreamed: true } }, (cluster) => {
      const { journal } = cluster;
      const recovery = watchRecovery(journal);
      let last: { at: number; backlog: Said[] } = { at: 0, backlog: [] };
      return {
        unit: 'kills',
        async strike() {
          await killReplica(cluster, recovery.death);
          last = { at: Date.now(), backlog: journal.open() };
        },
        judge() {
          // Nobody misses the answer to what was deleted meanwhile.
          const missed = last.backlog.filter(({ isDeleted }) => !isDeleted);
          const ends = missed.map(({ repliedAt = Number.POSITIVE_INFINITY }) => repliedAt - last.at);
          const gaveUp = journal.all.filter(({ ending, chats }) => ending === 'failed' && chats.length === 0);
          const { inChannels, direct } = recovery.times();
          const limitMs = RECOVERY_IN_LEASES * cluster.leaseMs;
          const p95 = atMost('recovery in channels at p95', percentile(inChannels, 0.95), limitMs, 'ms');
          const items = gaveUp.map(({ number }) => `item ${number}`);
          return {
            facts: [
              ['recovery in channels', toPercentiles(inChannels)],
              ['recovery of streamed answers', toPercentiles(direct)],
            ],
            // SQLite knows no lease: the next process goes on as soon as it is up.
            criteria: [
              ...(options.store === 'redis' ? [p95] : []),
              atMost('backlog gone after the last kill', Math.max(0, ...ends), BACKLOG_MS, 'ms'),
              none('given up without being asked', items),
            ],
          };
        },
      };
    }),
};
