import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemCode } from '../../errors.ts';
import { type Check, type Finding, speak } from '../check.ts';

/** SQLite needs room for its `-wal` file, which grows during a busy hour, and a backup needs as much as the database. */
const ENOUGH_BYTES = 1024 ** 3;
const TOO_LITTLE_BYTES = 64 * 1024 ** 2;

const { words, say } = speak({
  enough: '✓ {bytes} are free on the disk of {folder} (SQLITE_PATH).',
  little:
    '! Only {bytes} are free on the disk of {folder} (SQLITE_PATH). Make room there, or set SQLITE_PATH to a file on a larger disk.',
  full: '✗ Only {bytes} are free on the disk of {folder} (SQLITE_PATH): soon the database takes no writes, and the app accepts no questions. Make room there, or set SQLITE_PATH to a file on a larger disk.',
  unknown: '! The free space of {folder} is not known ({code}).',
  readOnly:
    '✗ The folder {folder} (SQLITE_PATH) cannot be written by this user. Give it to the user that runs the app, or set SQLITE_PATH to a file elsewhere.',
});

/** Whether the database's folder can be written, and how much space is free. Writes nothing. */
export const DISK: Check = {
  name: 'The disk',
  section: 'Store',
  words,
  async look({ config }) {
    if (config.REDIS_URL) return undefined;
    const folder = dirname(resolve(config.SQLITE_PATH));
    const existing = findExisting(folder);
    const isWritable = await access(existing, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) return say('readOnly', { folder: existing });
    try {
      const { bavail, bsize } = await statfs(existing);
      return describeRoom(folder, bavail * bsize);
    } catch (cause) {
      return say('unknown', { folder, code: systemCode(cause) ?? 'unknown reason' });
    }
  },
};

/** `free`: in bytes, for the current user. */
export function describeRoom(folder: string, free: number): Finding {
  const mib = free / 1024 ** 2;
  const bytes = mib < 1024 ? `${mib.toFixed(0)} MiB` : `${(mib / 1024).toFixed(0)} GiB`;
  if (free >= ENOUGH_BYTES) return say('enough', { bytes, folder });
  return say(free < TOO_LITTLE_BYTES ? 'full' : 'little', { bytes, folder });
}

/** The app makes the folders that are missing. */
function findExisting(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : findExisting(parent);
}
