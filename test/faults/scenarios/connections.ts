import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import type { Scenario } from '../scenario.ts';
import { strikeOften } from '../under-load.ts';
import { killReplica } from './kills.ts';
import { playRound } from './mixture.ts';

type Strike = (cluster: Cluster) => Promise<unknown>;

/** How soon Slack ends what it has announced the end of, in ms: ten seconds, in tenths. */
const ENDS_AFTER_MS = { from: 0, to: 1_000 };

const PAUSE_MS = { from: 500, to: 3_000 };

const refresh =
  (reason: 'warning' | 'refresh_requested'): Strike =>
  async ({ world, random }) =>
    world.slack.socketMode.refresh(reason, random.between(ENDS_AFTER_MS.from, ENDS_AFTER_MS.to));

/** What a round is made of, in an order of its own. */
const STRIKES: Strike[] = [
  async ({ world }) => world.slack.socketMode.cut(),
  async ({ world }) => world.slack.socketMode.cut(),
  refresh('warning'),
  refresh('refresh_requested'),
  async ({ world }) => world.slack.faults.next('apps.connections.open', { kind: 'status', status: 503, times: 2 }),
  async ({ world }) => world.slack.faults.next('apps.connections.open', { kind: 'rateLimited', retryAfterSeconds: 2 }),
  (cluster) => killReplica(cluster),
  (cluster) => killReplica(cluster),
];

/** Each with a pause after it. */
const STRIKES_AND_PAUSES = STRIKES.map((strike) => async (cluster: Cluster) => {
  await strike(cluster);
  await sleep(cluster.random.between(PAUSE_MS.from, PAUSE_MS.to));
});

export const connections: Scenario = {
  name: 'connections',
  about: 'Socket Mode: connections are cut, replaced and refused, and replicas killed, so many rounds',
  counts: { redis: 50, sqlite: 50 },
  run: (options) =>
    strikeOften(options, { cluster: { isSocketMode: true } }, (cluster) => ({
      unit: 'rounds',
      strike: () => playRound(cluster, STRIKES_AND_PAUSES),
      judge: () => ({ facts: [['connections', String(cluster.world.slack.socketMode.opened)]] }),
    })),
};
