import { createRecords } from '../backend/records.ts';
import type { Config } from '../config.ts';
import { STORE_VERSION } from '../storage/record.ts';
import { inspectRedis } from '../storage/redis/inspect-redis.ts';
import { connectRedis, type StoreConnection } from '../storage/redis/redis-connection.ts';
import { createRedisKernel } from '../storage/redis/redis-kernel.ts';
import { OPEN_TURNS, SCHEMA } from '../storage/redis/redis-keys.ts';
import { createRedisTurns } from '../storage/redis/redis-turns.ts';
import { error, type Finding, ok } from './finding.ts';
import { inspectRedisWriting } from './inspect-redis-writing.ts';
import { openSqliteReader } from './sqlite-reader.ts';
import type { StoreReader } from './store-reader.ts';

/** The store that the configuration names. Throws, and may answer, what the two do that it chooses from. */
export async function openReader({
  REDIS_URL,
  SQLITE_PATH,
}: Pick<Config, 'REDIS_URL' | 'SQLITE_PATH'>): Promise<StoreReader | Finding> {
  return REDIS_URL ? openRedisReader(REDIS_URL) : openSqliteReader(SQLITE_PATH);
}

/** Throws a PermanentError with a sentence where Redis cannot be reached. */
export async function openRedisReader(url: string): Promise<StoreReader> {
  const connection = await connectRedis({ url });
  const { counts, deadLetters } = createRedisTurns(connection, Date.now);
  return {
    ...createRecords(createRedisKernel(connection, Date.now), Date.now),
    findings: [
      ...(await connection.send(inspectRedis)),
      ...(await connection.send(inspectRedisWriting)),
      await inspectVersion(connection),
    ],
    counts,
    oldestTurn: async () => (await connection.send((client) => client.zRange(OPEN_TURNS, 0, 0)))[0],
    deadLetters,
    close: () => connection.close(),
  };
}

async function inspectVersion({ send }: StoreConnection): Promise<Finding> {
  const found = await send((client) => client.get(SCHEMA));
  if (found === null) return ok('It is empty.');
  return Number(found) === STORE_VERSION
    ? ok('Its records are of this release.')
    : error(
        `Its records are of version ${found} and this one writes ${STORE_VERSION}: look with the release that runs.`,
      );
}
