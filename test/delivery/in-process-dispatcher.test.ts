import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInProcessDispatcher } from '../../src/delivery/in-process-dispatcher.ts';
import { createLog } from '../../src/log.ts';

const log = createLog('silent');

/** A run that ends when it is told to. */
function aGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), passed };
}

describe('the in-process dispatcher', () => {
  let clock: sinon.SinonFakeTimers;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: 1_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(() => clock.restore());

  const create = () => createInProcessDispatcher(log, Date.now);

  it('runs lanes beside each other, and a lane never beside itself', async () => {
    const dispatcher = create();
    const started: string[] = [];
    const gates = { a: aGate(), b: aGate() };
    dispatcher.start(async (lane) => {
      started.push(lane);
      await gates[lane as 'a' | 'b'].passed;
      return undefined;
    });

    dispatcher.wake('a');
    dispatcher.wake('a');
    dispatcher.wake('b');

    expect(started).toEqual(['a', 'b']);
    gates.a.open();
    await clock.tickAsync(0);
    expect(started).toEqual(['a', 'b', 'a']);
  });

  it('runs a lane once more, however often it was woken while it ran', async () => {
    const dispatcher = create();
    const gate = aGate();
    let runs = 0;
    dispatcher.start(async () => {
      runs++;
      await gate.passed;
      return undefined;
    });
    dispatcher.wake('a');
    for (let count = 0; count < 5; count++) dispatcher.wake('a');

    gate.open();
    await clock.tickAsync(0);

    expect(runs).toBe(2);
  });

  it('keeps wake-ups from before the start', async () => {
    const dispatcher = create();
    const started: string[] = [];
    dispatcher.wake('early');

    dispatcher.start(async (lane) => void started.push(lane) as undefined);

    expect(started).toEqual(['early']);
  });

  it('wakes a lane at its time, and at once all the same when it is woken at once', async () => {
    const dispatcher = create();
    const started: number[] = [];
    dispatcher.start(async () => void started.push(Date.now()) as undefined);

    dispatcher.wake('a', 6_000);
    dispatcher.wake('a');
    await clock.tickAsync(10_000);

    expect(started).toEqual([1_000, 6_000]);
  });

  it('takes the earlier of two times', async () => {
    const dispatcher = create();
    const started: number[] = [];
    dispatcher.start(async () => void started.push(Date.now()) as undefined);

    dispatcher.wake('a', 9_000);
    dispatcher.wake('a', 3_000);
    await clock.tickAsync(2_500);

    expect(started).toEqual([3_000]);
  });

  it('wakes a lane at the time its run asked for', async () => {
    const dispatcher = create();
    const started: number[] = [];
    dispatcher.start(async () => {
      started.push(Date.now());
      return started.length === 1 ? 4_000 : undefined;
    });

    dispatcher.wake('a');
    await clock.tickAsync(10_000);

    expect(started).toEqual([1_000, 4_000]);
  });

  it('tries a lane again whose run threw', async () => {
    const dispatcher = create();
    let runs = 0;
    dispatcher.start(async () => {
      runs++;
      if (runs === 1) throw new Error('the store is gone');
      return undefined;
    });

    dispatcher.wake('a');
    await clock.tickAsync(1_500);

    expect(runs).toBe(2);
  });

  it('drains: starts nothing more, and waits for what runs', async () => {
    const dispatcher = create();
    const gate = aGate();
    const started: string[] = [];
    dispatcher.start(async (lane) => {
      started.push(lane);
      await gate.passed;
      return undefined;
    });
    dispatcher.wake('a');

    const drained = dispatcher.drain(5_000);
    dispatcher.wake('b');
    gate.open();

    expect(await drained).toBe(true);
    expect(started).toEqual(['a']);
  });

  it('gives up draining at the deadline', async () => {
    const dispatcher = create();
    dispatcher.start(() => new Promise(() => {}));
    dispatcher.wake('a');

    const drained = dispatcher.drain(5_000);
    await clock.tickAsync(5_000);

    expect(await drained).toBe(false);
  });
});
