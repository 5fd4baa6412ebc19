import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that imports none of these, not even indirectly, can start no process, so no Redis and no browser. */
const STARTERS = new Set(['node:child_process', 'node:cluster', 'playwright-core']);

const IMPORT = /^(?:import|export)\s+(type\s)?(?:([^'";]*?)\sfrom\s+)?'([^']+)'/gm;
const ONLY_TYPES = /^\{(\s*type\s[^,}]+,?)+\s*\}$/;

export type TestFiles = {
  /** Relative to the root, with slashes, as `test/log.test.ts`. */
  fast: string[];
  /** Tests that import one of the starters. */
  processes: string[];
};

/** Sorts all tests of the project by what they import. */
export function listTestFiles(root: string): TestFiles {
  const startsProcesses = createImportWalk();
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .toSorted();
  const { fast = [], processes = [] } = Object.groupBy(files, (file) =>
    startsProcesses(join(root, file)) ? 'processes' : 'fast',
  );
  return { fast, processes };
}

/** Returns whether a file imports one of the starters, itself or through other files of the project. */
function createImportWalk(): (file: string) => boolean {
  const imports = new Map<string, string[]>();
  const read = (file: string) => {
    const known = imports.get(file) ?? readImports(file);
    imports.set(file, known);
    return known;
  };
  return (file) => {
    const seen = new Set([file]);
    for (const one of seen) {
      for (const imported of read(one)) {
        if (STARTERS.has(imported)) return true;
        if (imported.endsWith('.ts')) seen.add(imported);
      }
    }
    return false;
  };
}

/** Types are not loaded, and start nothing. */
function readImports(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .filter(([, type, names = '']) => type === undefined && !ONLY_TYPES.test(names))
    .map(([, , , from = '']) => toFile(from, dirname(file)));
}

/** The name of a package stays as it is, except that of our own sandbox. */
function toFile(from: string, folder: string): string {
  if (from.startsWith('.')) return resolve(folder, from);
  return from.startsWith('@assistant-bridge/') ? fileURLToPath(import.meta.resolve(from)) : from;
}
