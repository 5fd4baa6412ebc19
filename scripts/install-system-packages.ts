// What the tests, the bench and the faults need of the system, and no npm package brings.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';

export type SystemPackage = {
  /** As Debian calls it. */
  name: string;
  /** Where its program may be; one of them is enough. */
  programs: readonly string[];
  /** What it is needed for, as the end of a sentence. */
  purpose: string;
};

export const CHROMIUM: SystemPackage = {
  name: 'chromium',
  programs: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  purpose: 'to look at the pages',
};

export const REDIS: SystemPackage = {
  name: 'redis-server',
  programs: ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].map((folder) => `${folder}/redis-server`),
  purpose: 'to run several replicas',
};

/**
 * Installs what is missing, where this is root on Debian; a person at the terminal is asked first. Elsewhere it says what
 * to install, and ends the process.
 */
export async function installSystemPackages(...wanted: SystemPackage[]): Promise<void> {
  const missing = wanted.filter(({ programs }) => !programs.some(existsSync));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(' and ');
  const needed = missing.map(({ name, purpose }) => `${name} ${purpose}`).join(', ');
  const isRootOnDebian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!isRootOnDebian) fail(`This needs ${needed}: install it with your system’s package manager, then run it again.`);
  if (process.stdin.isTTY && !(await agrees(`${names} missing. Install with apt-get now? [Y/n] `))) process.exit(1);
  console.log(`Installing ${needed} (apt-get install) …`);
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

async function agrees(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return !/^n/i.test(answer.trim());
}
