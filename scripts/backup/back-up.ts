import { statSync } from 'node:fs';
import type { Config } from '../../src/config.ts';
import { copyRedis } from './copy-redis.ts';
import { copySqlite } from './copy-sqlite.ts';
import { writeNewFile } from './new-file.ts';

/** Copies the configured store into a new file and returns what to tell the operator. Throws if there is no whole copy. */
export async function backUp({ REDIS_URL, SQLITE_PATH }: Config, file: string): Promise<string> {
  const what = await writeNewFile(file, (path) =>
    REDIS_URL ? copyRedis(REDIS_URL, path) : copySqlite(SQLITE_PATH, path),
  );
  const kilobytes = Math.ceil(statSync(file).size / 1024);
  return `${file} holds ${what}, ${kilobytes} KB, and was checked.
Its tokens, questions and accounts are encrypted: keep ENCRYPTION_KEYS apart from it, they are needed to restore it.`;
}
