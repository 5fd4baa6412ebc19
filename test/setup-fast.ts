// Runs before every file of tests that are told to start no process: one that does fails.
import { subscribe } from 'node:diagnostics_channel';
import { constants, setPriority } from 'node:os';

subscribe('child_process', () => {
  throw new Error('a test of the project “fast” starts a process');
});

// They run beside tests whose apps have to answer Slack within three seconds: those go first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
