import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { connectStore } from '../../src/backend/redis/connect-store.ts';
import { createRedisLeases } from '../../src/backend/redis/redis-leases.ts';
import { type BullmqDispatcher, createBullmqDispatcher } from '../../src/delivery/bullmq/bullmq-dispatcher.ts';
import { createLog } from '../../src/log.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { aGate } from './dispatcher-contract.ts';

export type BullmqWorld = {
  server: RedisServer;
  /** To look into the queue, and to spoil it. */
  redis: ReturnType<typeof createLook>;
  /** One line each, of all replicas. */
  logged: string[];
  replica(leaseMs?: number): BullmqDispatcher;
  /** A replica that has started. `started`: the lanes of its runs, of which those of `slow` wait at the gate. */
  recorded(leaseMs?: number): { dispatcher: BullmqDispatcher; started: string[]; gate: ReturnType<typeof aGate> };
  /** Ends the replicas and forgets everything. */
  reset(): Promise<void>;
  close(): Promise<void>;
};

/** One for all tests of a file, emptied after each. */
export function useBullmqWorld(): BullmqWorld {
  const world = {} as BullmqWorld;
  beforeAll(async () => void Object.assign(world, await startBullmqWorld()));
  afterEach(() => world.reset());
  afterAll(() => world.close());
  return world;
}

/** A real Redis, and any number of replicas on it in this process. */
async function startBullmqWorld(): Promise<BullmqWorld> {
  const server = await startRedis();
  const connection = await connectStore({ url: server.url });
  const leases = createRedisLeases(connection);
  const redis = createLook(server.url);
  await redis.connect();
  const logged: string[] = [];
  const log = createLog('info', { write: (line) => void logged.push(line) });
  const replicas: BullmqDispatcher[] = [];

  async function end(): Promise<void> {
    for (const replica of replicas.splice(0)) {
      await replica.drain(1_000);
      await replica.close();
    }
  }

  function replica(leaseMs = 10_000): BullmqDispatcher {
    const dispatcher = createBullmqDispatcher({ url: server.url, leases, leaseMs, now: Date.now, log });
    replicas.push(dispatcher);
    return dispatcher;
  }

  return {
    ...{ server, redis, logged, replica },
    recorded(leaseMs) {
      const dispatcher = replica(leaseMs);
      const started: string[] = [];
      const gate = aGate();
      dispatcher.start(async (lane) => {
        started.push(lane);
        if (lane === 'slow') await gate.passed;
        return undefined;
      });
      return { dispatcher, started, gate };
    },
    async reset() {
      await end();
      await redis.flushAll();
      logged.length = 0;
    },
    async close() {
      await end();
      await connection.close();
      redis.destroy();
      await server.close();
    },
  };
}

/** It loses its connection whenever a test kills the Redis, and comes back. */
function createLook(url: string) {
  return createClient({ url }).on('error', () => undefined);
}
