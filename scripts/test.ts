// `npm test`: types, lint, unused code, and every test. Arguments go to the test runner: `npm test -- test/slack`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const filters = process.argv.slice(2);

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

await installChromium();
step('types', 'node_modules/typescript/bin/tsc', ['--noEmit']);
step('lint', 'node_modules/@biomejs/biome/bin/biome', ['check', '.']);
step('unused code', 'node_modules/knip/bin/knip.js', []);
step('tests', 'node_modules/vitest/vitest.mjs', [
  'run',
  '--root',
  root,
  '--config',
  'test/vitest.config.ts',
  ...filters,
]);

function step(name: string, script: string, args: string[]): void {
  console.log(`\n— ${name}`);
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The pages are tested in a real browser, which is a package of the system. */
async function installChromium(): Promise<void> {
  if (CHROMIUM.some(existsSync)) return;
  const isRootOnDebian = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!isRootOnDebian) {
    console.error('The tests need Chromium: install it with your system’s package manager, then run npm test again.');
    process.exit(1);
  }
  if (process.stdin.isTTY && !(await agrees('Chromium is missing. Install it now with apt-get? [Y/n] ')))
    process.exit(1);
  console.log('Installing Chromium (apt-get install chromium) …');
  const run = (args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  run(['update', '-qq']);
  if (run(['install', '-y', '-qq', '--no-install-recommends', 'chromium']).status !== 0) {
    console.error('apt-get could not install chromium: see above.');
    process.exit(1);
  }
}

async function agrees(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return !/^n/i.test(answer.trim());
}
