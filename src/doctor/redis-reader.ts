import { STORE_VERSION } from '../storage/record.ts';
import { inspectRedis } from '../storage/redis/inspect-redis.ts';
import { createRedisAudit } from '../storage/redis/redis-audit.ts';
import { connectRedis, type StoreConnection } from '../storage/redis/redis-connection.ts';
import { createRedisChanges, createRedisOverlay } from '../storage/redis/redis-governance.ts';
import { OPEN_TURNS, SCHEMA } from '../storage/redis/redis-keys.ts';
import { createRedisInstallations, createRedisLinks, createRedisOnce } from '../storage/redis/redis-links.ts';
import { createRedisTurns } from '../storage/redis/redis-turns.ts';
import { error, type Finding, ok } from './finding.ts';
import { inspectRedisWriting } from './inspect-redis-writing.ts';
import type { StoreReader } from './store-reader.ts';

/** Throws a PermanentError with a sentence where Redis cannot be reached. */
export async function openRedisReader(url: string): Promise<StoreReader> {
  const connection = await connectRedis({ url });
  const { counts, deadLetters } = createRedisTurns(connection, Date.now);
  return {
    findings: [
      ...(await connection.send(inspectRedis)),
      ...(await connection.send(inspectRedisWriting)),
      await inspectVersion(connection),
    ],
    counts,
    oldestTurn: async () => (await connection.send((client) => client.zRange(OPEN_TURNS, 0, 0)))[0],
    deadLetters,
    installations: createRedisInstallations(connection),
    audit: createRedisAudit(connection),
    links: createRedisLinks(connection),
    overlay: createRedisOverlay(connection),
    changes: createRedisChanges(connection),
    once: createRedisOnce(connection, Date.now),
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
