import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemCode } from '../errors.ts';
import { error, type Finding, ok, warning } from './finding.ts';

/** SQLite needs room for its `-wal` file, which grows during a busy hour, and a backup needs as much as the database. */
const ENOUGH_BYTES = 1024 ** 3;
const TOO_LITTLE_BYTES = 64 * 1024 ** 2;

const MOVE = 'Make room there, or set SQLITE_PATH to a file on a larger disk.';

/** The folder of the database: whether it can be written, and how much room there is. Writes nothing. */
export async function lookAtDisk(sqlitePath: string): Promise<Finding> {
  const folder = dirname(resolve(sqlitePath));
  const existing = findExisting(folder);
  const isWritable = await canWrite(existing);
  if (!isWritable) {
    return error(
      `The folder ${existing} (SQLITE_PATH) cannot be written by this user. Give it to the user that runs the app, or set SQLITE_PATH to a file elsewhere.`,
    );
  }
  try {
    const { bavail, bsize } = await statfs(existing);
    return describeRoom(folder, bavail * bsize);
  } catch (cause) {
    return warning(`The free space of ${folder} is not known (${systemCode(cause) ?? 'unknown reason'}).`);
  }
}

/** `bytes`: free for the user that looks. */
export function describeRoom(folder: string, bytes: number): Finding {
  const free = `${formatBytes(bytes)} are free on the disk of ${folder} (SQLITE_PATH)`;
  if (bytes >= ENOUGH_BYTES) return ok(`${free}.`);
  return bytes < TOO_LITTLE_BYTES
    ? error(`Only ${free}: the database soon takes no writes, and the app takes nothing in then. ${MOVE}`)
    : warning(`Only ${free}. ${MOVE}`);
}

/** The app makes the folders that are missing. */
function findExisting(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : findExisting(parent);
}

async function canWrite(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function formatBytes(bytes: number): string {
  const mib = bytes / 1024 ** 2;
  return mib < 1024 ? `${mib.toFixed(0)} MiB` : `${(mib / 1024).toFixed(0)} GiB`;
}
