import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createRecords } from '../backend/records.ts';
import { openForReading } from '../backend/sqlite-store.ts';
import { isBusy } from '../storage/sqlite/open-error.ts';
import { isNew } from '../storage/sqlite/schema.ts';
import { createSqliteKernel } from '../storage/sqlite/sqlite-kernel.ts';
import { createSqliteTurns } from '../storage/sqlite/sqlite-turns.ts';
import { error, type Finding, ok, warning } from './finding.ts';
import type { StoreReader } from './store-reader.ts';

/** Waits for a checkpoint of the app, not for more. */
const LOCK_WAIT_MS = 2_000;

/** Where it cannot be read as it is, what is to be said about that. Throws a PermanentError with a sentence. */
export function openSqliteReader(path: string): StoreReader | Finding {
  if (!existsSync(path)) return NONE_YET;
  const database = openForReading(path, LOCK_WAIT_MS);
  if (isNew(database)) return NONE_YET;
  const commit = { write: refuseToWrite };
  const turns = createSqliteTurns(database, commit, Date.now);
  return {
    ...createRecords(createSqliteKernel(database, commit, Date.now), Date.now),
    findings: [inspectPages(database), inspectLock(path)],
    counts: turns.counts,
    oldestTurn: async () => readOldest(database),
    deadLetters: turns.deadLetters,
    close: async () => database.close(),
  };
}

const NONE_YET = ok('There is no database yet. The first start makes it.');

async function refuseToWrite(): Promise<never> {
  throw new Error('a look writes nothing');
}

/** As sqlite-turns.ts counts them: by the column, which starts again where a wait for a sign-in ended. */
function readOldest(database: DatabaseSync): string | undefined {
  const row = database
    .prepare("SELECT id FROM turns WHERE stage NOT IN ('done', 'parked') ORDER BY accepted_at, seq LIMIT 1")
    .get();
  return row && String(row.id);
}

function inspectPages(database: DatabaseSync): Finding {
  const { quick_check: result } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
  return result === 'ok'
    ? ok('The database is in order.')
    : error('The database is damaged. Stop the app, keep the file, and go on with a copy of an earlier day.');
}

/** A look at the lock takes none that would keep the app from starting. */
function inspectLock(path: string): Finding {
  if (existsSync(`${path}.lock`) && isLocked(`${path}.lock`)) return ok('A process of the app uses it.');
  return warning('No process of the app uses it. Start the app; what is open is then gone on with.');
}

function isLocked(path: string): boolean {
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
