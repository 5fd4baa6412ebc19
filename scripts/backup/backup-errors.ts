import { ConfigError } from '../../src/config.ts';
import { BridgeError } from '../../src/errors.ts';

export const USAGE = `npm run backup -- <file> copies the store, SQLite or Redis, into a new file. It runs beside the app.
The folder has to exist, the file must not.`;

/** What to say to an operator. */
export function toSentence(cause: unknown): string {
  if (cause instanceof ConfigError) return cause.problems.join('\n');
  if (cause instanceof BridgeError) return cause.message;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no code';
  if (code.startsWith('ERR_PARSE_ARGS')) return `${(cause as Error).message}\n${USAGE}`;
  // SQLITE_FULL, and what the system says of the same.
  if (readSqliteCode(cause) === 13 || code === 'ENOSPC') {
    return 'The backup was not made: the disk is full. Make room, or name a file elsewhere.';
  }
  return `The backup was not made (${code}). Check the path, and who may write there.`;
}

function readSqliteCode(cause: unknown): number | undefined {
  return cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : undefined;
}
