import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes and servers: a little more than the default, and never a second try.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    retry: 0,
    // Most of them wait for processes and time: two files at once take hardly longer than one, on two cores as well.
    maxWorkers: 2,
  },
});
