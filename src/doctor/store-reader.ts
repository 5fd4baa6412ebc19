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
import { type Facts, inspectRedis, parseInfo, readMemory, readSettings } from '../storage/redis/inspect-redis.ts';
import type { RedisClient } from '../storage/redis/redis-client.ts';
import { createRedisKernel } from '../storage/redis/redis-kernel.ts';
import { isBusy } from '../storage/sqlite/open-error.ts';
import { createSqliteKernel } from '../storage/sqlite/sqlite-kernel.ts';
import { type Finding, type StoreReader, speak } from './check.ts';

/** The same share as in the alert `AssistantBridgeRedisFills`. */
export const NEARLY_FULL = 0.8;

const MIB = 1024 * 1024;

const { words, say } = speak({
  empty: '✓ It is empty.',
  ofThisRelease: '✓ Its records are of this release.',
  sound: '✓ The database is in order.',
  damaged: '✗ The database is damaged. Stop the app, keep the file, and restore a backup.',
  used: '✓ A process of the app uses it.',
  unused: '! No process of the app uses it. Start the app: it then goes on with open questions.',
  roomy: '✓ Redis {share}.',
  nearlyFull:
    '! Redis is nearly full: it {share}. When it is full, it refuses every write. Raise maxmemory, or give its machine more.',
  full: '✗ Redis is full: it {share}, and refuses every write (OOM). The app accepts no questions. Raise maxmemory.',
  notAppended:
    '✗ Redis could not write its append-only file, and refuses every write (MISCONF). The app accepts no questions. Make room on its disk, and check that it may write to its folder. It then goes on by itself.',
  notSaved:
    '! Redis could not write its last snapshot{result}. Make room on its disk, and check that it may write to its folder. It then goes on by itself.',
  stopped:
    '✗ Redis could not write its last snapshot, and refuses every write for that (MISCONF). The app accepts no questions. Make room on its disk, and check that it may write to its folder. It then goes on by itself.',
  notFollowed:
    '✗ Redis requires {needed} connected replicas (min-replicas-to-write), and has {counted}: it refuses every write (NOREPLICAS). The app accepts no questions. Start the replicas, or find out why they lag behind.',
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

/**
 * How full Redis is, and whether it takes writes now. The app does not check this at its start: it may wait until
 * writes work. Writes nothing: INFO has everything that Redis decides by.
 */
export async function inspectRedisWriting(client: Pick<RedisClient, 'info' | 'configGet'>): Promise<Finding[]> {
  const [info, settings] = await Promise.all([
    client.info(),
    readSettings(client, ['min-replicas-to-write', 'save', 'stop-writes-on-bgsave-error']),
  ]);
  const facts = parseInfo(String(info));
  return [
    ...inspectMemory(facts),
    ...(facts.get('aof_last_write_status') === 'err' ? [say('notAppended')] : []),
    ...(facts.get('rdb_last_bgsave_status') === 'err' ? [describeSnapshot(settings)] : []),
    ...inspectFollowers(facts, settings),
  ];
}

function inspectMemory(facts: Facts): Finding[] {
  const memory = readMemory(facts);
  if (!memory) return [];
  const { usedBytes: used, limitBytes: limit, hasMaxmemory } = memory;
  const share = `uses ${toMib(used)} of ${toMib(limit)} MiB ${hasMaxmemory ? '(maxmemory)' : 'of its machine, and has no maxmemory'}`;
  // With another policy Redis drops old keys: inspect-redis.ts reports that.
  const isRoomy = used < limit * NEARLY_FULL || facts.get('maxmemory_policy') !== 'noeviction';
  if (isRoomy) return [say('roomy', { share })];
  return [say(used >= limit ? 'full' : 'nearlyFull', { share })];
}

function toMib(bytes: number): string {
  return (bytes / MIB).toFixed(bytes < 100 * MIB ? 1 : 0);
}

/** A failed snapshot stops all writes, but only if snapshots are on: `save` is not empty. */
function describeSnapshot(settings: Facts | undefined): Finding {
  if (!settings) return say('notSaved', { result: ', and may refuse every write for that (MISCONF)' });
  const goesOn = settings.get('stop-writes-on-bgsave-error') === 'no' || settings.get('save') === '';
  return goesOn ? say('notSaved', { result: '. It still takes writes' }) : say('stopped');
}

/** Redis counts its replicas only if it requires some. */
function inspectFollowers(facts: Facts, settings: Facts | undefined): Finding[] {
  const counted = facts.get('min_slaves_good_slaves');
  const needed = Number(settings?.get('min-replicas-to-write') ?? 1);
  return counted === undefined || Number(counted) >= needed ? [] : [say('notFollowed', { needed, counted })];
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
