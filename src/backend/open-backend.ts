import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Backend } from './backend.ts';

// One of them: the packages for Redis are half of all that the app would load.
const loadEmbedded = () => import('./embedded-backend.ts');
const loadShared = () => import('./shared-backend.ts');

/** Opens what the configuration names. Throws a PermanentError with a sentence for the operator. */
export async function openBackend(config: Config, log: Log): Promise<Backend> {
  const { REDIS_URL: url } = config;
  if (!url) return (await loadEmbedded()).openEmbeddedBackend(config, log);
  return (await loadShared()).openSharedBackend(url, config.LEASE_SECONDS * 1000, log);
}
