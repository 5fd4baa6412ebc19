import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  describeMissing,
  findProgram,
  listNeeds,
  type SystemProgram,
} from '@assistant-bridge/sandbox/system-programs.ts';
import { openTerminal } from './setup/terminal.ts';

/**
 * Installs missing programs if this runs as root on Debian; a person at the terminal is asked first. Elsewhere it says what
 * to install, and ends the process.
 */
export async function installSystemPackages(...wanted: SystemProgram[]): Promise<void> {
  const missing = wanted.filter((program) => findProgram(program) === undefined);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(' and ');
  const isRootOnDebian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!isRootOnDebian) fail(describeMissing(missing));
  if (process.stdin.isTTY && !(await agrees(`${names} missing. Install with apt-get now?`))) process.exit(1);
  console.log(`Installing ${listNeeds(missing)} (apt-get install) …`);
  run(['update', '-qq']);
  const packages = missing.map(({ name }) => name);
  if (run(['install', '-y', '-qq', '--no-install-recommends', ...packages]) !== 0) {
    fail(`apt-get could not install ${names}: see above.`);
  }
}

function run(args: string[]): number | null {
  return spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function agrees(question: string): Promise<boolean> {
  const terminal = openTerminal();
  return terminal.agrees(question).finally(terminal.close);
}
