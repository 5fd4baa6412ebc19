import type { Log } from '../../log.ts';
import type { RedisConnection } from '../../storage/redis/redis-client.ts';
import { connectRedis } from '../../storage/redis/redis-connection.ts';
import { kernelScripts } from '../../storage/redis/redis-kernel.ts';
import { lockScripts } from '../../storage/redis/redis-lock.ts';
import { bucketScripts } from './redis-buckets.ts';
import { leaseScripts } from './redis-leases.ts';
import { threadScripts } from './redis-threads.ts';
import { walkScripts } from './redis-walk.ts';
import { turnScripts } from './turn-scripts.ts';

const scripts = {
  ...turnScripts,
  ...threadScripts,
  ...kernelScripts,
  ...walkScripts,
  ...lockScripts,
  ...leaseScripts,
  ...bucketScripts,
};

/** A connection with all our scripts. */
export type StoreConnection = RedisConnection<typeof scripts>;

/** See connectRedis. */
export function connectStore(address: { url: string; log?: Log | undefined }): Promise<StoreConnection> {
  return connectRedis({ ...address, scripts });
}
