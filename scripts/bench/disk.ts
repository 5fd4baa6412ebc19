import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pinCommand } from './cores.ts';
import type { Bench } from './part.ts';
import type { DiskProbe } from './probe-disk.ts';

const SCRIPT = fileURLToPath(new URL('./probe-disk.ts', import.meta.url));

/** What the disk under the app's files can do now, with commits of so many rows. */
export async function probeDisk({ world, cores }: Bench, rowsPerCommit: number): Promise<DiskProbe> {
  const args = [process.execPath, SCRIPT, world.folder, String(Math.max(1, Math.round(rowsPerCommit)))];
  const [command = '', ...rest] = pinCommand(args, cores?.measured[0]);
  const { stdout } = await promisify(execFile)(command, rest);
  return JSON.parse(stdout);
}
