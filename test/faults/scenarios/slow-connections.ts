import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster.ts';
import type { Replica } from '../replica.ts';
import { type Scenario, USUAL_LEASE_SECONDS } from '../scenario.ts';
import { speak } from '../speak.ts';
import { inCluster } from '../under-load.ts';
import { none, times, toPercentiles } from '../verdict.ts';

const CLOSED_WITHIN_MS = 15_000;

const BYTE_EVERY_MS = 500;

const SPEAK_EVERY_MS = 500;

const HEAD = 'POST /slack/events HTTP/1.1\r\nhost: bridge\r\ncontent-type: application/json\r\n';

/** What a connection sends at once, and what follows byte by byte for ever. */
const KINDS = [
  { kind: 'once nothing', atOnce: '', slowly: '' },
  { kind: 'its headers slowly', atOnce: '', slowly: `${HEAD}x-padding: ${'y'.repeat(10_000)}` },
  {
    kind: 'its body slowly',
    atOnce: `${HEAD}content-length: 900\r\n\r\n`,
    slowly: '{"type": "event_callback", '.repeat(50),
  },
  { kind: 'the rest of a request never', atOnce: `${HEAD}x-half: `, slowly: '' },
];

export const slowConnections: Scenario = {
  name: 'slow-connections',
  about: 'connections that send next to nothing, for as long as they are let (slow loris), so many at once',
  counts: { redis: 1_000, sqlite: 1_000 },
  run(options) {
    const setting = { cluster: { leaseSeconds: USUAL_LEASE_SECONDS, replicas: 1 } };
    return inCluster(options, setting, async (cluster) => {
      const [replica] = cluster.replicas;
      if (!replica) throw new Error('There is no replica.');
      const [lives] = await Promise.all([holdMany(replica, options.count), speakMeanwhile(cluster)]);
      const tooLong = lives.filter(({ ms }) => ms > CLOSED_WITHIN_MS).map(({ kind }) => `one that sends ${kind}`);
      return ({ unacknowledged }) => ({
        facts: [['closed after', toPercentiles(lives.map(({ ms }) => ms))]],
        criteria: [
          none('good requests that were not acknowledged', times(unacknowledged, 'one')),
          none('connections open after 15 s', tooLong),
        ],
      });
    });
  },
};

type Life = { kind: string; ms: number };

function holdMany(replica: Replica, count: number): Promise<Life[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => hold(replica, index)));
}

/** Resolves with how long it was let. */
async function hold({ port }: Replica, index: number): Promise<Life> {
  const { kind, atOnce, slowly } = KINDS[index % KINDS.length] ?? { kind: '', atOnce: '', slowly: '' };
  const begunAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // A reset is a way of closing.
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(atOnce);
  const dripping = drip(socket, slowly);
  await Promise.race([closed, sleep(2 * CLOSED_WITHIN_MS, undefined, { ref: false })]);
  socket.destroy();
  await dripping;
  return { kind, ms: performance.now() - begunAt };
}

async function drip(socket: Socket, text: string): Promise<void> {
  for (const letter of text) {
    await sleep(BYTE_EVERY_MS);
    if (socket.destroyed || !socket.writable) return;
    socket.write(letter);
  }
}

async function speakMeanwhile(cluster: Cluster): Promise<void> {
  const until = performance.now() + CLOSED_WITHIN_MS;
  while (performance.now() < until) {
    await speak(cluster, { author: cluster.random.pick(cluster.people) });
    await sleep(SPEAK_EVERY_MS);
  }
}
