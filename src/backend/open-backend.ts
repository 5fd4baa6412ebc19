import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Backend } from './backend.ts';

// Loaded lazily: the packages for Redis are half of the app's code.
const loadEmbedded = () => import('./embedded-backend.ts');
const loadShared = () => import('./shared-backend.ts');

/** Opens the configured backend. Throws a PermanentError with a sentence for the operator. */
export async function openBackend(config: Config, log: Log): Promise<Backend> {
  const { REDIS_URL: url } = config;
  if (!url) return (await loadEmbedded()).openEmbeddedBackend(config, log);
  return (await loadShared()).openSharedBackend(url, config.LEASE_SECONDS * 1000, log);
}
