import { existsSync } from 'node:fs';
import { openRedisStore } from '../src/backend/redis-store.ts';
import { openSqliteStore } from '../src/backend/sqlite-store.ts';
import type { Store } from '../src/backend/store.ts';
import type { Config } from '../src/config.ts';
import type { StoreReader } from '../src/doctor/check.ts';
import { NO_DATABASE, openReader } from '../src/doctor/store-reader.ts';
import { codeOf, UserError } from '../src/errors.ts';

/** Reads the store of the configuration, beside a running app. Changes nothing. */
export async function withReader<T>(
  config: Pick<Config, 'REDIS_URL' | 'SQLITE_PATH'>,
  look: (store: StoreReader) => Promise<T>,
): Promise<T> {
  const store = await openReader(config);
  if (!store) throw new UserError('no_store', NO_DATABASE);
  try {
    return await look(store);
  } finally {
    await store.close();
  }
}

/** Opens the store of the app for writing. Throws a BridgeError with a sentence if that is not possible. */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(config);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function openStore({ REDIS_URL: url, SQLITE_PATH: path, AUDIT_KEY: keys }: Config): Promise<Store> {
  const options = { audit: { keys }, now: Date.now };
  if (url) return openRedisStore({ url, ...options });
  if (!existsSync(path)) throw new UserError('no_store', `There is no database ${path} (SQLITE_PATH).`);
  return openSqliteStore({ path, lockWaitMs: 0, ...options }).catch((cause: unknown) => {
    if (codeOf(cause) !== 'store_in_use') throw cause;
    throw new UserError('app_runs', `The app uses ${path} (SQLITE_PATH). Stop the app first, then run this again.`);
  });
}
