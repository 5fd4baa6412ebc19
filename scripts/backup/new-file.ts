import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../../src/errors.ts';

/**
 * Lets `write` fill an empty file that only its owner can read, and renames it to `file` once it is on disk: `file` is
 * complete or does not exist. Throws a UserError if the name is taken.
 */
export async function writeNewFile<T>(file: string, write: (path: string) => Promise<T>): Promise<T> {
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
