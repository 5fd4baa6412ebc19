// `npm run backup -- <file>`: copies the store beside a running app into a new file: SQLite as a database, Redis as a
// snapshot (RDB). Nothing in the store changes. Exits with 1 if there is no whole copy.
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Config, loadConfig } from '../src/config.ts';
import { UserError } from '../src/errors.ts';
import { copyRedis } from './backup/copy-redis.ts';
import { copySqlite } from './backup/copy-sqlite.ts';
import { runCommand } from './run-command.ts';

await runCommand({
  usage: `npm run backup -- <file> copies the store, SQLite or Redis, into a new file. It runs beside the app.
The folder has to exist, the file must not.`,
  allowPositionals: true,
  failed(code, cause) {
    // SQLITE_FULL, and the code of the system for a full disk.
    const isFull = code === 'ENOSPC' || (Number((cause as { errcode?: number }).errcode) & 0xff) === 13;
    if (isFull) return 'The backup was not made: the disk is full. Make room, or name a file elsewhere.';
    return `The backup was not made (${code}). Check the path, and who may write there.`;
  },
  async run(_, [file, ...rest]) {
    if (file === undefined || rest.length > 0) return undefined;
    console.log(await backUp(loadConfig(), file));
    return 0;
  },
});

/** Returns what to tell the operator. Throws if there is no whole copy. */
async function backUp({ REDIS_URL, SQLITE_PATH }: Config, file: string): Promise<string> {
  const what = await writeNewFile(file, (path) =>
    REDIS_URL ? copyRedis(REDIS_URL, path) : copySqlite(SQLITE_PATH, path),
  );
  const kilobytes = Math.ceil(statSync(file).size / 1024);
  return `${file} holds ${what}, ${kilobytes} KB, and was checked.
Its tokens, questions and accounts are encrypted: keep ENCRYPTION_KEYS apart from it, they are needed to restore it.`;
}

/**
 * Lets `write` fill an empty file that only its owner can read, and renames it to `file` once it is on disk: `file` is
 * complete or does not exist. Throws a UserError if the name is taken.
 */
async function writeNewFile<T>(file: string, write: (path: string) => Promise<T>): Promise<T> {
  const target = resolve(file);
  const folder = dirname(target);
  refuseExisting(target);
  if (!existsSync(folder)) throw new UserError('no_folder', `There is no folder ${folder}. Make it first.`);
  const unfinished = join(folder, `.${basename(target)}.${process.pid}.unfinished`);
  closeSync(openSync(unfinished, 'wx', 0o600));
  try {
    const result = await write(unfinished);
    flush(unfinished);
    refuseExisting(target);
    renameSync(unfinished, target);
    flush(folder);
    return result;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function refuseExisting(target: string): void {
  if (!existsSync(target)) return;
  throw new UserError('file_exists', `${target} exists and is not overwritten. Name a new file.`);
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
