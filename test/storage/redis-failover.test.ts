// A fail-over: the name in REDIS_URL leads to another Redis, as that of a managed Redis or of a proxy does.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { claimPort } from '@assistant-bridge/sandbox/claim-port.ts';
import { REDIS, requireProgram } from '@assistant-bridge/sandbox/system-programs.ts';
import { startTcpProxy, type TcpProxy } from '@assistant-bridge/sandbox/tcp-proxy.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRedisLeases } from '../../src/backend/redis/redis-leases.ts';
import { openRedisStore, type RedisStore } from '../../src/backend/redis-store.ts';
import { type BullmqDispatcher, createBullmqDispatcher } from '../../src/delivery/bullmq/bullmq-dispatcher.ts';
import { createLog } from '../../src/log.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { aTurn } from '../conversation/a-question.ts';
import { asOperator, isWritable, portOf } from './redis-world.ts';

let primary: RedisServer;
let replica: RedisServer;
let name: TcpProxy;
let store: RedisStore;

beforeEach(async () => {
  // Or a follower would wait five seconds for others to come.
  const fast = { 'repl-diskless-sync-delay': '0' };
  [primary, replica] = await Promise.all([startRedis(fast), startRedis(fast)]);
  await asOperator(replica, (client) => client.sendCommand(['REPLICAOF', '127.0.0.1', String(portOf(primary))]));
  await until(() => says(replica, 'master_link_status:up'));
  name = await startTcpProxy(portOf(primary));
  store = await openRedisStore({ url: `redis://127.0.0.1:${name.port}`, now: Date.now });
});

afterEach(async () => {
  await store.close();
  await name.close();
  await Promise.all([primary.close(), replica.close()]);
});

const says = (server: RedisServer, words: string) =>
  asOperator(server, async (client) => (await client.info('replication')).includes(words));

async function until(isSo: () => Promise<boolean>): Promise<void> {
  await expect.poll(() => isSo().catch(() => false)).toBe(true);
}

/** One Sentinel that decides alone, after half a second of silence: a fail-over as it really happens. */
async function startSentinel(): Promise<void> {
  const port = await claimPort();
  const { dir = '' } = await asOperator(replica, (client) => client.configGet('dir'));
  const file = join(dir, 'sentinel.conf');
  const lines = [`monitor bridge 127.0.0.1 ${portOf(primary)} 1`, 'down-after-milliseconds bridge 500'];
  const settings = ['bind 127.0.0.1', `port ${port}`, `dir ${dir}`, ...lines.map((line) => `sentinel ${line}`)];
  writeFileSync(file, settings.join('\n'));
  startChild(requireProgram(REDIS), [file, '--sentinel'], { stdio: 'ignore' });
  const knowsReplica = () =>
    asOperator({ url: `redis://127.0.0.1:${port}` }, async (client) =>
      JSON.stringify(await client.sendCommand(['SENTINEL', 'REPLICAS', 'bridge'])).includes(String(portOf(replica))),
    );
  await until(knowsReplica);
}

/** Accepts questions one after the other until it is stopped. */
function acceptQuestions() {
  const accepted: string[] = [];
  let isOver = false;
  const work = (async () => {
    for (let count = 0; !isOver; count += 1) {
      const id = `q${count}`;
      try {
        await store.turns.accept(aTurn({ id, lane: `T1:C1:${count}` }));
        accepted.push(id);
      } catch {
        // As Slack does, it comes again later.
        await sleep(20);
      }
    }
  })();
  const stop = () => {
    isOver = true;
    return work;
  };
  return { accepted, stop };
}

/** Those of the ids that Redis does not have. */
async function findLost(ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.map((id) => store.turns.get(id)));
  return ids.filter((_, index) => !found[index]);
}

it('a promoted replica has what it had confirmed, and takes questions without a restart of the app', async () => {
  await startSentinel();
  const load = acceptQuestions();
  await until(async () => load.accepted.length > 50);
  const confirmed = [...load.accepted];
  await asOperator(primary, async (client) => {
    // WAIT goes by what its own connection has written: this comes after all that was confirmed.
    await client.set('written-last', '').then(() => client.sendCommand(['WAIT', '1', '0']));
  });

  await primary.kill();
  await until(() => says(replica, 'role:master'));
  name.lead(portOf(replica));
  name.cut();
  await until(() => isWritable(store));
  const first = load.accepted.length;
  await until(async () => load.accepted.length > first + 50);
  await load.stop();

  expect(await findLost([...confirmed, ...load.accepted.slice(first + 1)])).toEqual([]);
});

it('where the replica falls silent first, min-replicas-to-write bounds what a fail-over would lose', async () => {
  await asOperator(primary, async (client) => {
    await client.configSet('min-replicas-max-lag', '1');
    await client.configSet('min-replicas-to-write', '1');
  });
  await until(() => isWritable(store));

  // It keeps its connection: the primary goes by how long it has been silent.
  replica.signal('SIGSTOP');
  const load = acceptQuestions();
  await until(async () => !(await isWritable(store)));
  await load.stop();
  const atRisk = load.accepted.length;
  await expect(store.turns.accept(aTurn({ id: 'refused' }))).rejects.toMatchObject({
    cause: { message: expect.stringContaining('NOREPLICAS') },
  });

  replica.signal('SIGCONT');
  await until(() => isWritable(store));
  expect(atRisk).toBeGreaterThan(0);
  expect(await findLost(load.accepted)).toEqual([]);
});

it('the connection that a cut of the network left at Redis is ended before the next one is used', async () => {
  const connections = () =>
    asOperator(primary, async (operator) => {
      const all = String(await operator.sendCommand(['CLIENT', 'LIST']));
      return all.match(/name=assistant-bridge/g)?.length ?? 0;
    });
  await until(() => isWritable(store));
  const before = await connections();

  name.cut();
  await until(() => isWritable(store));
  await until(async () => (await connections()) === before);

  expect(before).toBeGreaterThan(0);
});

it.each([
  ['while the wait for work goes on', async () => undefined],
  ['while nothing waits for work', endWaits],
])('after a fail-over that left connections as they were, %s, all goes on where the name leads', async (_, prepare) => {
  const ran: string[] = [];
  const dispatcher: BullmqDispatcher = createBullmqDispatcher({
    url: `redis://127.0.0.1:${name.port}`,
    leases: createRedisLeases(store.connection),
    leaseMs: 2_000,
    now: Date.now,
    log: createLog('silent'),
  });
  try {
    dispatcher.start(async (lane) => {
      ran.push(lane);
      return undefined;
    });
    await dispatcher.wake('before');
    await until(async () => ran.includes('before'));

    await prepare();
    await tell(replica, ['REPLICAOF', 'NO', 'ONE']);
    await tell(primary, ['REPLICAOF', '127.0.0.1', String(portOf(replica))]);
    name.lead(portOf(replica));
    await until(() => isWritable(store));

    const wake = () => {
      void dispatcher.wake('after', Date.now() + 50);
      return ran.includes('after');
    };
    // A later wake-up replaces one that is still to come: asked for as often as that, it would never come.
    await expect.poll(wake, { interval: 1_000 }).toBe(true);
  } finally {
    await dispatcher.drain(1_000);
    await dispatcher.close();
  }
});

/** As FAILOVER does: no writes for a moment. Who waits for work asks anew, and stands before a Redis that has changed. */
async function endWaits(): Promise<void> {
  // Listed before the pause: Redis 7.0 ends itself if a client that it makes wait for the end of a pause is unblocked.
  const clients = String(await tell(primary, ['CLIENT', 'LIST']));
  await tell(primary, ['CLIENT', 'PAUSE', '1000', 'WRITE']);
  for (const [, id = ''] of clients.matchAll(/^id=(\d+) .*cmd=bzpopmin/gm))
    await tell(primary, ['CLIENT', 'UNBLOCK', id]);
}

/** Redis may close connections while it changes its role. Each of these commands may be repeated. */
async function tell(server: RedisServer, command: string[]): Promise<unknown> {
  return vi.waitFor(() => asOperator(server, (operator) => operator.sendCommand(command)), { timeout: 60_000 });
}
