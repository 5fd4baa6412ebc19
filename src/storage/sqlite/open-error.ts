import { BridgeError, PermanentError, systemCode } from '../../errors.ts';

/** An error for operators: one sentence on what is wrong, one on what to do. */
export function toOpenError(path: string, error: unknown): BridgeError {
  if (error instanceof BridgeError) return error;
  const sentence = SENTENCES[readSqliteCode(error) ?? systemCode(error) ?? ''] ?? OTHER;
  return new PermanentError('store_not_opened', sentence(path), { cause: error });
}

/** SQLITE_BUSY (5) and SQLITE_LOCKED (6): https://www.sqlite.org/rescode.html */
export function isBusy(error: unknown): boolean {
  return [5, 6].includes(readSqliteCode(error) ?? 0);
}

type Sentence = (path: string) => string;

const NOT_A_DATABASE: Sentence = (path) =>
  `${path} (SQLITE_PATH) is not a database, or is damaged. Use another file, or put a backup there.`;

const NOT_WRITABLE: Sentence = (path) =>
  `${path} (SQLITE_PATH) cannot be opened for writing. Use a file in a folder that this process may write to.`;

const OTHER: Sentence = (path) =>
  `${path} (SQLITE_PATH) cannot be opened. It has to be a database of this app, or a new file, on a local disk.`;

/** By SQLite's result codes and by those of the operating system. */
const SENTENCES: Record<string | number, Sentence> = {
  3: NOT_WRITABLE,
  5: (path) => `${path} (SQLITE_PATH) is in use by another program. End that program, then start again.`,
  8: NOT_WRITABLE,
  11: NOT_A_DATABASE,
  13: (path) => `The disk of ${path} (SQLITE_PATH) is full. Make room, then start again.`,
  14: NOT_WRITABLE,
  26: NOT_A_DATABASE,
  EACCES: NOT_WRITABLE,
  EEXIST: NOT_WRITABLE,
  EISDIR: NOT_WRITABLE,
  ENOENT: NOT_WRITABLE,
  ENOTDIR: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: NOT_WRITABLE,
};

/** The primary code, in the lowest byte. */
function readSqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
}

/** SQLite's own words for a result code, without names or values. */
export function readSqliteWords(error: unknown): string | undefined {
  return error instanceof Error && 'errstr' in error ? String(error.errstr) : undefined;
}
