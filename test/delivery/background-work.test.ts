import { describe, expect, it } from 'vitest';
import { createBackgroundWork } from '../../src/delivery/background-work.ts';
import { createLog } from '../../src/log.ts';

function start() {
  const logged: string[] = [];
  const log = createLog('info', { write: (line) => void logged.push(line) });
  return { work: createBackgroundWork(log), logged };
}

describe('background work', () => {
  it('is waited for, with what it starts itself', async () => {
    const { work } = start();
    const done: string[] = [];
    work.start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      work.start(async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        done.push('second');
      });
      done.push('first');
    });

    const isDone = await work.drain(1_000);

    expect(isDone).toBe(true);
    expect(done).toEqual(['first', 'second']);
  });

  it('is not waited for beyond the deadline', async () => {
    const { work } = start();
    work.start(() => new Promise(() => undefined));

    expect(await work.drain(10)).toBe(false);
  });

  it('hears of a stop when that begins to wait, and can end early', async () => {
    const { work } = start();
    const stopped = new Promise<void>((resolve) => work.stopping.addEventListener('abort', () => resolve()));
    work.start(() => stopped);

    expect(work.stopping.aborted).toBe(false);
    expect(await work.drain(1_000)).toBe(true);
    expect(work.stopping.aborted).toBe(true);
  });

  it('that fails ends nothing else, and is logged', async () => {
    const { work, logged } = start();
    work.start(() => Promise.reject(new Error('a fault')));

    expect(await work.drain(1_000)).toBe(true);
    expect(logged.join()).toContain('background work failed');
  });
});
