import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes and servers, perhaps on a busy machine: this ends what hangs, and measures nothing. Never a second try.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
    // Most of them wait for processes and time: with two, two cores are idle for half of the run (measured).
    maxWorkers: 3,
  },
});
