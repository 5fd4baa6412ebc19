import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openForReading } from '../../src/backend/sqlite-store.ts';
import { PermanentError, UserError } from '../../src/errors.ts';
import { toOpenError } from '../../src/storage/sqlite/open-error.ts';

/** Long enough for a checkpoint of the app. Nothing else blocks a reader. */
const LOCK_WAIT_MS = 10_000;

/**
 * Copies the database, as it is at one moment, into an empty file, while the app goes on writing. Returns what the copy
 * holds. Throws a BridgeError with a sentence if the database cannot be read or the copy is damaged.
 */
export async function copySqlite(from: string, to: string): Promise<string> {
  if (!existsSync(from)) {
    const sentence = `There is no database at ${resolve(from)} (SQLITE_PATH). Run this in the folder and with the environment of the app.`;
    throw new UserError('no_database', sentence);
  }
  const database = openForReading(from, LOCK_WAIT_MS);
  try {
    const version = readNumber(database, 'user_version');
    copy(database, to, from);
    checkCopy(to, version);
    return `the database (schema version ${version})`;
  } finally {
    database.close();
  }
}

/** Copies records, not pages: pages may still contain deleted data. */
function copy(database: DatabaseSync, to: string, from: string): void {
  try {
    database.prepare('VACUUM INTO ?').run(to);
  } catch (cause) {
    throw isDamaged(cause) ? toOpenError(from, cause) : cause;
  }
}

/** SQLITE_CORRUPT (11) and SQLITE_NOTADB (26): https://www.sqlite.org/rescode.html */
function isDamaged(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && [11, 26].includes(Number(cause.errcode) & 0xff);
}

function checkCopy(path: string, version: number): void {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const { integrity_check: result } = copy.prepare('PRAGMA integrity_check(1)').get() ?? {};
    if (result === 'ok' && readNumber(copy, 'user_version') === version) return;
  } finally {
    copy.close();
  }
  const sentence = 'The copy is damaged and was deleted. Run the doctor: the database may be damaged as well.';
  throw new PermanentError('copy_damaged', sentence);
}

function readNumber(database: DatabaseSync, pragma: string): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}
