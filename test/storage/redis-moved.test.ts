import { startTcpProxy, type TcpProxy } from '@assistant-bridge/sandbox/tcp-proxy.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRedisLeases } from '../../src/backend/redis/redis-leases.ts';
import { openRedisStore, type RedisStore } from '../../src/backend/redis-store.ts';
import { type BullmqDispatcher, createBullmqDispatcher } from '../../src/delivery/bullmq/bullmq-dispatcher.ts';
import { createLog } from '../../src/log.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { asOperator, isWritable, portOf } from './redis-world.ts';

let first: RedisServer;
let proxy: TcpProxy;
let store: RedisStore;
let url: string;

beforeEach(async () => {
  // Or a follower would wait five seconds for others to come.
  first = await startRedis({ 'repl-diskless-sync-delay': '0' });
  proxy = await startTcpProxy(portOf(first));
  url = `redis://127.0.0.1:${proxy.port}`;
  store = await openRedisStore({ url, now: Date.now });
});

afterEach(async () => {
  await store.close();
  await proxy.close();
  await first.close();
});

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  await expect.poll(isSo).toBe(true);
}

const works = () => isWritable(store);

it('the connection that a cut of the network left at Redis is ended before the next one is used', async () => {
  const connections = () =>
    asOperator(first, async (operator) => {
      const all = String(await operator.sendCommand(['CLIENT', 'LIST']));
      return all.match(/name=assistant-bridge/g)?.length ?? 0;
    });
  await until(works);
  const before = await connections();

  proxy.cut();
  await until(works);
  await until(async () => (await connections()) === before);

  expect(before).toBeGreaterThan(0);
});

it.each([
  ['while the wait for work goes on', async () => undefined],
  ['while nothing waits for work', endWaits],
])('after a fail-over that left connections as they were, %s, all goes on where the name leads', async (_, prepare) => {
  const second = await startRedis();
  const ran: string[] = [];
  const dispatcher: BullmqDispatcher = createBullmqDispatcher({
    url,
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
    await until(() => ran.includes('before'));

    await follow(second, first);
    await prepare();
    await tell(second, ['REPLICAOF', 'NO', 'ONE']);
    await tell(first, ['REPLICAOF', '127.0.0.1', String(portOf(second))]);
    proxy.lead(portOf(second));
    await until(works);

    const wake = () => {
      void dispatcher.wake('after', Date.now() + 50);
      return ran.includes('after');
    };
    // A later wake-up replaces one that is still to come: asked for as often as that, it would never come.
    await expect.poll(wake, { interval: 1_000 }).toBe(true);
  } finally {
    await dispatcher.drain(1_000);
    await dispatcher.close();
    await second.close();
  }
});

/** As FAILOVER does: no writes for a moment. Who waits for work asks anew, and stands before a Redis that has changed. */
async function endWaits(): Promise<void> {
  // Listed before the pause: Redis 7.0 ends itself if a client that it makes wait for the end of a pause is unblocked.
  const clients = String(await tell(first, ['CLIENT', 'LIST']));
  await tell(first, ['CLIENT', 'PAUSE', '1000', 'WRITE']);
  for (const [, id = ''] of clients.matchAll(/^id=(\d+) .*cmd=bzpopmin/gm))
    await tell(first, ['CLIENT', 'UNBLOCK', id]);
}

/** Redis may close connections while it changes its role. Each of these commands may be repeated. */
async function tell(server: RedisServer, command: string[]): Promise<unknown> {
  return vi.waitFor(() => asOperator(server, (operator) => operator.sendCommand(command)), { timeout: 60_000 });
}

async function follow(follower: RedisServer, leader: RedisServer): Promise<void> {
  await tell(follower, ['REPLICAOF', '127.0.0.1', String(portOf(leader))]);
  await until(() =>
    asOperator(follower, async (operator) => (await operator.info('replication')).includes('master_link_status:up')),
  );
}
