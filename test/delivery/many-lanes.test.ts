import { describe, expect, it } from 'vitest';
import { createInProcessDispatcher } from '../../src/delivery/in-process-dispatcher.ts';
import { createLog } from '../../src/log.ts';

/** Lets everything go on that does not wait for time. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the in-process dispatcher, with six hundred lanes awake', () => {
  it('runs 512 of them at once, and the others as soon as one ends', async () => {
    const dispatcher = createInProcessDispatcher(createLog('silent'), Date.now);
    const open: (() => void)[] = [];
    const started = new Set<string>();
    dispatcher.start((lane) => {
      started.add(lane);
      return new Promise((resolve) => open.push(() => resolve(undefined)));
    });

    for (let index = 0; index < 600; index++) dispatcher.wake(`lane ${index}`);
    await settled();
    expect(started.size).toBe(512);

    open.splice(0, 8).forEach((end) => void end());
    await settled();
    expect(started.size).toBe(520);

    while (open.length > 0) {
      open.splice(0).forEach((end) => void end());
      await settled();
    }
    expect(started.size).toBe(600);
    expect(await dispatcher.drain(1_000)).toBe(true);
  });
});
