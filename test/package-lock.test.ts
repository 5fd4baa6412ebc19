import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Entry = { integrity?: string; optional?: boolean; link?: boolean; os?: string[]; cpu?: string[]; libc?: string[] };

/**
 * Compiled for platforms on which neither the image nor the tests run. npm writes an optional package without its hash
 * where the registry that it asks does not have it; nothing of it is installed here.
 */
const WITHOUT_HASH = [
  /^node_modules\/@biomejs\/cli-(android|darwin|win32|linux)-/,
  /^node_modules\/@msgpackr-extract\/msgpackr-extract-(darwin|win32|linux-arm$)/,
  /^node_modules\/@oxc-parser\/binding-/,
];

const lock: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);

it('every package has the hash of what was reviewed, but for optional ones of other platforms', () => {
  // The others are the project itself, and its packages.
  const fetched = Object.entries(lock.packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link);
  const without = fetched.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));

  const unnamed = without.filter(([path]) => !WITHOUT_HASH.some((exception) => exception.test(path)));
  const installed = without.filter(([, entry]) => !entry.optional || isForServers(entry));

  expect(unnamed).toEqual([]);
  expect(installed).toEqual([]);
});

/** Linux with glibc, on the processors that images are built for. */
function isForServers({ os = [], cpu = [], libc = ['glibc'] }: Entry): boolean {
  return os.includes('linux') && libc.includes('glibc') && ['x64', 'arm64'].some((name) => cpu.includes(name));
}
