import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { BridgeError, StoreUnavailableError } from '../../errors.ts';
import { type Check, type Sight, type StoreSeen, speak } from '../check.ts';
import { NO_DATABASE, openReader, READER_WORDS } from '../store-reader.ts';

const { words, say } = speak({
  none: `✓ ${NO_DATABASE}`,
  elsewhere:
    '! There is no database at {path} (SQLITE_PATH), but the app on port {port} is ready: it keeps its records elsewhere, and they were not checked. Run the doctor in the same container or on the same machine, in the same folder, and with the same SQLITE_PATH or REDIS_URL as the app.',
  unreadable: '✗ {why}',
});

export const STORE: Check = {
  name: 'The store',
  section: 'Store',
  words: { ...READER_WORDS, ...words },
  look: async ({ store }) => (await store()).findings,
};

/** Never rejects. The app makes the file at its start: if there is none but the app is ready, it uses another file. */
export async function seeStore(config: Config, app: Sight['app']): Promise<StoreSeen> {
  const { SQLITE_PATH, PORT: port } = config;
  try {
    const reader = await openReader(config);
    if (reader) return { reader, isNew: false, findings: reader.findings };
  } catch (cause) {
    return { isNew: false, findings: [say('unreadable', { why: toWhy(cause) })] };
  }
  const isElsewhere = !existsSync(SQLITE_PATH) && (await app()).isReady;
  return isElsewhere
    ? { isNew: false, findings: [say('elsewhere', { path: resolve(SQLITE_PATH), port })] }
    : { isNew: true, findings: [say('none')] };
}

function toWhy(cause: unknown): string {
  if (cause instanceof StoreUnavailableError)
    return `The store cannot be read: ${cause.message}. Run the doctor again in a moment.`;
  if (cause instanceof BridgeError) return cause.message;
  return `The store cannot be read (${cause instanceof Error ? cause.name : 'no error'}): another release may have written it.`;
}
