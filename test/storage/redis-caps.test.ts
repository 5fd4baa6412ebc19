import { afterAll, beforeAll } from 'vitest';
import { connectStore, type StoreConnection } from '../../src/backend/redis/connect-store.ts';
import type { Kernel } from '../../src/storage/kernel.ts';
import { createRedisKernel } from '../../src/storage/redis/redis-kernel.ts';
import { type RedisServer, startRedis } from '../app/redis-server.ts';
import { describeCapCounter, NOW } from '../conversation/cap-counter-contract.ts';

let server: RedisServer;
let connections: StoreConnection[];

beforeAll(async () => {
  server = await startRedis({ appendfsync: 'no' });
  connections = await Promise.all([connectStore({ url: server.url }), connectStore({ url: server.url })]);
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await server.close();
});

describeCapCounter(
  'redis',
  () => connections.map((connection) => createRedisKernel(connection, () => NOW)) as [Kernel, Kernel],
  25,
);
