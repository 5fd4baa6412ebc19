import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { listTestFiles } from '../scripts/test/starts-processes.ts';
import { LongestFirst } from './longest-first.ts';

/** Where the way from Slack plays a part, in what is sent again and how a click is acknowledged: once more with Socket Mode. */
const BOTH_WAYS = ['clicks', 'kill-accept', 'windows'];

const { fast, processes } = listTestFiles(fileURLToPath(new URL('..', import.meta.url)));

export default defineConfig({
  test: {
    // Real processes and servers, perhaps on a busy machine: this ends what hangs, and measures nothing. Never a second try.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    retry: 0,
    // Most of them wait for processes and time: with as many as cores, half of these are idle. More than two beyond that save
    // little, and on slow cores apps that start beside each other would miss the three seconds that Slack gives.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Node runs the code as it is: no second compiler, and modules are loaded once per worker instead of once per file.
    isolate: false,
    experimental: { viteModuleRunner: false },
    projects: [
      { extends: true, test: { name: 'processes', include: processes, setupFiles: ['test/setup-processes.ts'] } },
      {
        extends: true,
        test: {
          name: 'socket',
          include: BOTH_WAYS.map((name) => `test/end-to-end/${name}.test.ts`),
          setupFiles: ['test/setup-processes.ts'],
          env: { SLACK_TRANSPORT: 'socket' },
        },
      },
      { extends: true, test: { name: 'fast', include: fast, setupFiles: ['test/setup-fast.ts'] } },
    ],
  },
});
