import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endChildren, runToEnd, startChild } from '@assistant-bridge/sandbox/child-processes.ts';
import { describe, expect, it } from 'vitest';
import { endLeftovers, findLeftovers } from '../../scripts/test/leftover-processes.ts';

const CHILD_PROCESSES = fileURLToPath(new URL('../sandbox/child-processes.ts', import.meta.url));

/** Says that it runs, and then does nothing for longer than any test takes. */
const SLEEPER = ['--eval', 'console.log("up"); setTimeout(() => undefined, 600_000)'];

/** A process that has started, of a run of tests that is not this one. */
async function startSleeper(testRun: string) {
  const env = { TEST_RUN: testRun, TEST_FILE: 'test/careless.test.ts' };
  const child = startChild(process.execPath, SLEEPER, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout) await once(child.stdout, 'data');
  return { child, ended: once(child, 'exit') };
}

describe('processes of tests', () => {
  it('are ended together, also where one is frozen', async () => {
    const [first, second] = [await startSleeper('r1'), await startSleeper('r1')];
    second.child.kill('SIGSTOP');

    await endChildren();

    expect(await Promise.all([first.ended, second.ended])).toEqual([
      [null, 'SIGKILL'],
      [null, 'SIGKILL'],
    ]);
  });

  it('end with whoever has started them', async () => {
    const source = `
      import { startChild } from '${CHILD_PROCESSES}';
      const child = startChild(process.execPath, ${JSON.stringify(SLEEPER)}, { stdio: ['ignore', 'pipe', 'inherit'] });
      child.stdout.once('data', () => process.exit(0));`;

    const { status } = await runToEnd(process.execPath, ['--input-type=module', '--eval', source], {
      env: { TEST_RUN: 'r2', TEST_FILE: 'test/careless.test.ts' },
    });

    expect(status).toBe(0);
    expect(findLeftovers('r2')).toEqual([]);
  });
});

describe('what is left after a run', () => {
  it('is found with the file of its test, and ended; processes of another run are let be', async () => {
    const [left, other] = [await startSleeper('r3'), await startSleeper('r4')];

    const leftovers = findLeftovers('r3');
    endLeftovers(leftovers);

    expect(leftovers).toEqual([
      { pid: left.child.pid, testFile: 'test/careless.test.ts', command: expect.stringContaining('--eval') },
    ]);
    expect(await left.ended).toEqual([null, 'SIGKILL']);
    expect(findLeftovers('r3')).toEqual([]);
    expect(other.child.exitCode).toBe(null);
  });
});
