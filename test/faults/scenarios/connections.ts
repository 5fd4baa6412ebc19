import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import type { Scenario } from '../scenario.ts';
import { killReplica } from '../strikes/kill-replica.ts';
import { underLoad } from '../under-load.ts';

type Strike = (cluster: Cluster) => Promise<unknown>;

/** How soon Slack ends what it has announced the end of, in ms: ten seconds, in tenths. */
const ENDS_AFTER_MS = { from: 0, to: 1_000 };

const PAUSE_MS = { from: 500, to: 3_000 };

/** What a round is made of, in an order of its own. */
const STRIKES: Strike[] = [
  async ({ world }) => world.slack.socketMode.cut(),
  async ({ world }) => world.slack.socketMode.cut(),
  async ({ world, random }) =>
    world.slack.socketMode.refresh('warning', random.between(ENDS_AFTER_MS.from, ENDS_AFTER_MS.to)),
  async ({ world, random }) =>
    world.slack.socketMode.refresh('refresh_requested', random.between(ENDS_AFTER_MS.from, ENDS_AFTER_MS.to)),
  async ({ world }) => world.slack.faults.next('apps.connections.open', { kind: 'status', status: 503, times: 2 }),
  async ({ world }) => world.slack.faults.next('apps.connections.open', { kind: 'rateLimited', retryAfterSeconds: 2 }),
  (cluster) => killReplica(cluster),
  (cluster) => killReplica(cluster),
];

export const connections: Scenario = {
  name: 'connections',
  about: 'Socket Mode: connections are cut, replaced and refused, and replicas killed, so many rounds',
  counts: { redis: 50, sqlite: 50 },
  run: (options) =>
    underLoad({ cluster: { ...options, isSocketMode: true }, load: options }, async (cluster, _, progress) => {
      const { socketMode } = cluster.world.slack;
      for (let round = 1; round <= options.count; round++) {
        const left = [...STRIKES];
        while (left.length > 0) {
          const [strike] = left.splice(cluster.random.below(left.length), 1);
          await strike?.(cluster);
          await sleep(cluster.random.between(PAUSE_MS.from, PAUSE_MS.to));
        }
        progress(`round ${round}`);
      }
      return () => ({
        facts: [
          ['rounds', String(options.count)],
          ['connections', String(socketMode.opened)],
        ],
      });
    }),
};
