// Runs before every file of tests that start processes: none of them is left when the file is over.
import { relative } from 'node:path';
import { endChildren, killChildren } from '@assistant-bridge/sandbox/child-processes.ts';
import { afterAll, expect } from 'vitest';

// By this the runner knows whose a process is that is left all the same.
process.env.TEST_FILE = relative(process.cwd(), expect.getState().testPath ?? '');

// A worker that hangs is ended with SIGTERM, after which no `exit` is emitted.
process.once('SIGTERM', onSigterm);

afterAll(async () => {
  await endChildren();
  process.off('SIGTERM', onSigterm);
});

function onSigterm(): void {
  killChildren();
  process.kill(process.pid, 'SIGTERM');
}
