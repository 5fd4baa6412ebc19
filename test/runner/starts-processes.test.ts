import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listTestFiles } from '../../scripts/test/starts-processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { fast, processes } = listTestFiles(root);

/** The files of the tests that match. */
function listMatching(pattern: RegExp): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && pattern.test(readFileSync(join(root, 'test', file), 'utf8')))
    .toSorted();
}

describe('tests that start no process', () => {
  it('are known by their imports, however indirect', () => {
    expect(fast).toEqual(expect.arrayContaining(['test/log.test.ts', 'test/storage/sqlite-store.test.ts']));
    expect(processes).toEqual(
      expect.arrayContaining([
        'test/doctor.test.ts',
        'test/end-to-end/account.test.ts',
        'test/slack/installations/install-pages.test.ts',
        'test/storage/redis-store.test.ts',
      ]),
    );
    expect(fast.filter((file) => processes.includes(file))).toEqual([]);
  });

  it('are most of them', () => {
    expect(fast.length).toBeGreaterThan(processes.length);
  });
});

describe('the sandbox', () => {
  it('has one file that starts processes, and one that starts a browser', () => {
    expect(listMatching(/^import (?!type).*from 'node:child_process'/m)).toEqual(['sandbox/child-processes.ts']);
    expect(listMatching(/^import (?!type).*from 'playwright-core'/m)).toEqual(['sandbox/chromium.ts']);
  });
});
