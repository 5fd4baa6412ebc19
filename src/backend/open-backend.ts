import type { Config } from '../config.ts';
import { codeOf } from '../errors.ts';
import { createFaultLog } from '../fault-log.ts';
import { createTokenVault } from '../identity/token-vault.ts';
import type { Log } from '../log.ts';
import type { Backend } from './backend.ts';
import { sealStore } from './sealed-store.ts';

// Loaded lazily: the packages for Redis are half of the app's code.
const loadEmbedded = () => import('./embedded-backend.ts');
const loadShared = () => import('./shared-backend.ts');

/** Opens the configured backend. Throws a PermanentError with a sentence for the operator. */
export async function openBackend(config: Config, log: Log): Promise<Backend> {
  const { REDIS_URL: url } = config;
  const backend = url
    ? await (await loadShared()).openSharedBackend(url, config, log)
    : await (await loadEmbedded()).openEmbeddedBackend(config, log);
  await backend.store.audit.start();
  const logFault = createFaultLog(log, 'record not opened');
  const store = sealStore(backend.store, createTokenVault(config.ENCRYPTION_KEYS), (kind, error) =>
    logFault(kind, { kind, code: codeOf(error) }),
  );
  return { ...backend, store };
}
