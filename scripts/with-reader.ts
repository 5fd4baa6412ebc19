import type { Config } from '../src/config.ts';
import type { StoreReader } from '../src/doctor/check.ts';
import { NO_DATABASE, openReader } from '../src/doctor/store-reader.ts';
import { UserError } from '../src/errors.ts';

/** Looks into the store that the configuration names, beside a running app, and changes nothing. */
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
