// Programs that tests, faults and bench need and no npm package brings, and where they may be on Linux and macOS.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export type SystemProgram = {
  /** The package as Debian calls it. */
  name: string;
  /** Any one of these is enough; the first that is found is taken. */
  programs: readonly string[];
  /** Where to look besides PATH and the usual folders: whole paths. */
  paths?: readonly string[];
  /** What it is needed for, as the end of a sentence. */
  purpose: string;
};

export const CHROMIUM: SystemProgram = {
  name: 'chromium',
  programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  paths: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  purpose: 'to look at the pages',
};

export const REDIS: SystemProgram = {
  name: 'redis-server',
  programs: ['redis-server', 'valkey-server'],
  purpose: 'to run several replicas',
};

export const PROMTOOL: SystemProgram = {
  name: 'prometheus',
  programs: ['promtool'],
  purpose: 'to check the alert rules',
};

const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/snap/bin'];

/** The whole path of the program, or undefined where this machine has none. */
export function findProgram(
  { programs, paths = [] }: SystemProgram,
  path = process.env.PATH ?? '',
): string | undefined {
  const folders = [...path.split(delimiter).filter(Boolean), ...USUAL_FOLDERS];
  const inFolders = programs.flatMap((program) => folders.map((folder) => join(folder, program)));
  return (
    inFolders.find((file) => isAccessible(file, constants.X_OK)) ??
    paths.find((file) => isAccessible(file, constants.R_OK))
  );
}

/** The whole path of the program. Throws with a sentence for the person who runs the tests where there is none. */
export function requireProgram(program: SystemProgram): string {
  const path = findProgram(program);
  if (path === undefined) throw new Error(describeMissing([program]));
  return path;
}

export function describeMissing(missing: readonly SystemProgram[]): string {
  return `This needs ${listNeeds(missing)}: install it with your system’s package manager, then run it again.`;
}

export function listNeeds(programs: readonly SystemProgram[]): string {
  return programs.map(({ name, purpose }) => `${name} ${purpose}`).join(', ');
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
