import { setTimeout as sleep } from 'node:timers/promises';
import { runToEnd } from '@assistant-bridge/sandbox/child-processes.ts';
import { describe, expect, it } from 'vitest';
import { PermanentError } from '../src/errors.ts';
import { createWorkerRun, type WorkerOptions } from '../src/run-in-worker.ts';

class OddError extends PermanentError {
  constructor(why: string, options?: ErrorOptions) {
    super('odd', why, options);
  }
}

const SCRIPT = new URL('./odd-worker.ts', import.meta.url);

function createRun(options: Partial<WorkerOptions> = {}) {
  return createWorkerRun<string, number>({
    script: SCRIPT,
    limitMs: 30_000,
    idleMs: 60_000,
    maxHeapMb: 64,
    toError: (why, options) => new OddError(why, options),
    ...options,
  });
}

describe('work in a thread', () => {
  it('is done in one thread as long as that is well', async () => {
    const run = createRun();

    const threads = await Promise.all([run('tell'), run('tell'), run('tell')]);

    expect(new Set(threads).size).toBe(1);
  });

  it('ends at its limit, and what waits behind it is done in another thread', async () => {
    const run = createRun();
    const before = await run('tell');

    const stuck = run('hang', { limitMs: 100 });
    const next = run('tell');

    await expect(stuck).rejects.toThrow(new OddError('it took longer than 100 ms'));
    expect(await next).not.toBe(before);
  });

  it.each([
    ['throw', 'its thread failed'],
    ['exit', 'its thread ended with 3'],
    ['hoard', 'its thread failed'],
  ])('is an error where the thread dies of it: %s', async (work, why) => {
    const run = createRun();

    await expect(run(work)).rejects.toThrow(new OddError(why));
    expect(await run('tell')).toBeGreaterThan(0);
  });

  it('is given up where it has waited for too long', async () => {
    const run = createRun({ waitLimitMs: 200 });
    await run('tell');

    const [stuck, waiting] = await Promise.allSettled([run('hang', { limitMs: 500 }), run('tell')]);

    expect(stuck.status).toBe('rejected');
    expect(waiting).toMatchObject({ reason: new OddError('it waited for longer than 200 ms') });
    expect(await run('tell')).toBeGreaterThan(0);
  });

  it('lets the thread go when there is nothing to do', async () => {
    const run = createRun({ idleMs: 0 });

    const first = await run('tell');
    await sleep(50);

    expect(await run('tell')).not.toBe(first);
  });

  it.each(['tell', 'hang'])('keeps no process that has nothing else to do: %s', async (work) => {
    const source = `
      import { createWorkerRun } from '${new URL('../src/run-in-worker.ts', import.meta.url)}';
      const run = createWorkerRun({ script: new URL('${SCRIPT}'), limitMs: 60_000, idleMs: 60_000, maxHeapMb: 64 });
      await Promise.race([run('${work}'), new Promise((resolve) => setTimeout(resolve, 1_000))]);`;

    const ended = await runToEnd(process.execPath, ['--input-type=module', '--eval', source]);

    expect(ended).toMatchObject({ status: 0, stderr: '' });
  });
});
