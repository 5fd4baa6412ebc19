import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { checkVersion, STORE_VERSION } from '../backend/record.ts';
import { createRecords } from '../backend/records.ts';
import { connectStore } from '../backend/redis/connect-store.ts';
import { createRedisTurns } from '../backend/redis/redis-turns.ts';
import { OPEN_TURNS, SCHEMA } from '../backend/redis/turn-keys.ts';
import { isNew } from '../backend/sqlite/schema.ts';
import { createSqliteTurns } from '../backend/sqlite/sqlite-turns.ts';
import { openForReading } from '../backend/sqlite-store.ts';
import type { Config } from '../config.ts';
import { inspectRedis } from '../storage/redis/inspect-redis.ts';
import { createRedisKernel } from '../storage/redis/redis-kernel.ts';
import { isBusy } from '../storage/sqlite/open-error.ts';
import { createSqliteKernel } from '../storage/sqlite/sqlite-kernel.ts';
import { type StoreReader, speak } from './check.ts';
import { inspectRedisWriting } from './inspect-redis-writing.ts';

const { words, say } = speak({
  empty: '✓ It is empty.',
  ofThisRelease: '✓ Its records are of this release.',
  sound: '✓ The database is in order.',
  damaged: '✗ The database is damaged. Stop the app, keep the file, and restore a backup.',
  used: '✓ A process of the app uses it.',
  unused: '! No process of the app uses it. Start the app: it then goes on with open questions.',
});

export const READER_WORDS = words;

export const NO_DATABASE = 'There is no database yet. The first start makes it.';

/**
 * Opens the configured store. Undefined: there is no database yet. Throws a PermanentError with a sentence if the store
 * cannot be read, or another release has written it.
 */
export async function openReader({
  REDIS_URL: url,
  SQLITE_PATH: path,
}: Pick<Config, 'REDIS_URL' | 'SQLITE_PATH'>): Promise<StoreReader | undefined> {
  return url ? openRedis(url) : openSqlite(path);
}

async function openRedis(url: string): Promise<StoreReader> {
  const connection = await connectStore({ url });
  const { send, close } = connection;
  try {
    const found = await send((client) => client.get(SCHEMA));
    checkVersion(Number(found ?? STORE_VERSION), 'Redis');
    return {
      ...createRecords(createRedisKernel(connection, Date.now), Date.now),
      ...createRedisTurns(connection, Date.now),
      findings: [
        ...(await send(inspectRedis)),
        ...(await send(inspectRedisWriting)),
        say(found === null ? 'empty' : 'ofThisRelease'),
      ],
      oldestTurn: async () => (await send((client) => client.zRange(OPEN_TURNS, 0, 0)))[0],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Enough for a checkpoint of the app. */
const LOCK_WAIT_MS = 2_000;

function openSqlite(path: string): StoreReader | undefined {
  if (!existsSync(path)) return undefined;
  const database = openForReading(path, LOCK_WAIT_MS);
  if (isNew(database)) return undefined;
  const commit = { write: refuseToWrite };
  return {
    ...createRecords(createSqliteKernel(database, commit, Date.now), Date.now),
    ...createSqliteTurns(database, commit, Date.now),
    findings: [say(isSound(database) ? 'sound' : 'damaged'), say(isLocked(`${path}.lock`) ? 'used' : 'unused')],
    oldestTurn: async () => readOldest(database),
    close: async () => database.close(),
  };
}

async function refuseToWrite(): Promise<never> {
  throw new Error('the doctor writes nothing');
}

/** By the column, as in sqlite-turns.ts: its value is renewed when a wait for a sign-in ends. */
function readOldest(database: DatabaseSync): string | undefined {
  const row = database
    .prepare("SELECT id FROM turns WHERE stage NOT IN ('done', 'parked') ORDER BY accepted_at, seq LIMIT 1")
    .get();
  return row && String(row.id);
}

function isSound(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA quick_check(1)').get()?.quick_check === 'ok';
}

/** Reads the lock file without taking a lock that would keep the app from starting. */
function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const lock = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    lock.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (cause) {
    if (isBusy(cause)) return true;
    throw cause;
  } finally {
    lock.close();
  }
}
