import type { Config } from '../config.ts';
import type { Finding } from './finding.ts';
import { openRedisReader } from './redis-reader.ts';
import { openSqliteReader } from './sqlite-reader.ts';
import type { StoreReader } from './store-reader.ts';

/** The store that the configuration names. Throws, and may answer, what the two do that it chooses from. */
export async function openReader({
  REDIS_URL,
  SQLITE_PATH,
}: Pick<Config, 'REDIS_URL' | 'SQLITE_PATH'>): Promise<StoreReader | Finding> {
  return REDIS_URL ? openRedisReader(REDIS_URL) : openSqliteReader(SQLITE_PATH);
}
