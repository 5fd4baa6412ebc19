// Runs before every file of tests that are told to start no process: one that does fails.
import { subscribe } from 'node:diagnostics_channel';

subscribe('child_process', () => {
  throw new Error('a test of the project “fast” starts a process');
});
