import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInProcessDispatcher } from '../../src/delivery/in-process-dispatcher.ts';
import { createLog } from '../../src/log.ts';
import { describeDispatcher, until } from './dispatcher-contract.ts';
import { describeFairness } from './fairness-contract.ts';

const DAY_MS = 24 * 3_600_000;

const create = () => createInProcessDispatcher(createLog('silent'), Date.now);

describeDispatcher('the in-process dispatcher', create);
describeFairness('the in-process dispatcher', create);

describe('the in-process dispatcher', () => {
  let clock: sinon.SinonFakeTimers;
  let started: number[];

  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: 1_000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    started = [];
  });
  afterEach(() => clock.restore());

  it('wakes a lane at its time to the millisecond', async () => {
    const dispatcher = create();
    dispatcher.start(async () => void started.push(Date.now()) as undefined);

    dispatcher.wake('a', 6_000);
    dispatcher.wake('a');
    await clock.tickAsync(10_000);

    expect(started).toEqual([1_000, 6_000]);
  });

  it('wakes a lane before a time that is further away than a timer counts, not at once', async () => {
    const dispatcher = create();
    dispatcher.start(async () => (started.push(Date.now()) < 2 ? 40 * DAY_MS : undefined));

    dispatcher.wake('a', 40 * DAY_MS);
    await clock.tickAsync(50 * DAY_MS);

    expect(started).toEqual([2 ** 31 - 1 + 1_000, 40 * DAY_MS]);
  });

  it.each([-2, 2])('wakes a lane in time although the clock is set by %s hours', async (hours) => {
    const dispatcher = create();
    dispatcher.start(async () => void started.push(Date.now()) as undefined);

    dispatcher.wake('a', 61_000);
    const set = 1_000 + hours * 3_600_000;
    clock.setSystemTime(set);
    await clock.tickAsync(60_000);

    expect(started).toEqual([set + 60_000]);
  });

  it('waits a second before it tries a lane again whose run threw', async () => {
    const dispatcher = create();
    dispatcher.start(async () => {
      if (started.push(Date.now()) === 1) throw new Error('the store is gone');
      return undefined;
    });

    dispatcher.wake('a');
    await clock.tickAsync(1_500);

    expect(started).toEqual([1_000, 2_000]);
  });

  it('lets timers fire while a lane asks again and again to go on at once', async () => {
    clock.restore();
    const dispatcher = create();
    let runs = 0;
    let runsAtTimer: number | undefined;
    dispatcher.start(async () => (++runs < 10_000 ? Date.now() : undefined));

    dispatcher.wake('a');
    setTimeout(() => {
      runsAtTimer = runs;
    }, 1);
    await until(() => expect(runs).toBe(10_000));

    expect(runsAtTimer).toBeLessThan(10_000);
  });
});
