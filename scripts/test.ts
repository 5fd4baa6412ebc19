// `npm test`: types, lint, unused code, and every test. Arguments go to the test runner: `npm test -- test/slack`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CHROMIUM, installSystemPackages, REDIS } from './install-system-packages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const filters = process.argv.slice(2);

await installSystemPackages(CHROMIUM, REDIS);
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
