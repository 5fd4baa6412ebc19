import { beforeEach } from 'vitest';
import type { StoreConnection } from '../../src/backend/redis/connect-store.ts';
import type { Kernel } from '../../src/storage/kernel.ts';
import { createRedisKernel } from '../../src/storage/redis/redis-kernel.ts';
import { describeCapCounter, NOW } from '../conversation/cap-counter-contract.ts';
import { useRedis } from './own-redis.ts';

const redis = useRedis({ appendfsync: 'no' });
let connections: StoreConnection[];

beforeEach(async () => {
  connections = await Promise.all([redis.connect(), redis.connect()]);
});

describeCapCounter(
  'redis',
  () => connections.map((connection) => createRedisKernel(connection, () => NOW)) as [Kernel, Kernel],
  25,
);
