import sinon from 'sinon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unlessAborted, withinTime } from '../src/time-limit.ts';

const never = new Promise<string>(() => undefined);

describe('a time limit', () => {
  let clock: sinon.SinonFakeTimers;

  beforeEach(() => {
    // Not `nextTick`: what the test runner sends meanwhile would be lost with the clock, and it would wait for ever.
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => clock.restore());

  it('gives what the work gives, and leaves no timer', async () => {
    await expect(withinTime(1_000, Promise.resolve('done'))).resolves.toBe('done');
    await expect(withinTime(1_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');

    expect(clock.countTimers()).toBe(0);
  });

  it('rejects once the time is up', async () => {
    const limited = expect(withinTime(1_000, never)).rejects.toThrow('no answer within 1000 ms');
    await clock.tickAsync(1_000);
    await limited;
  });

  it('gives what there is instead, where there is something', async () => {
    const limited = withinTime(1_000, never, () => 'late');
    await clock.tickAsync(1_000);

    expect(await limited).toBe('late');
  });
});

describe('work that ends with a signal', () => {
  it('rejects with the reason once it is aborted, or where it was aborted before', async () => {
    const stop = new AbortController();
    const work = unlessAborted(stop.signal, never);
    stop.abort(new Error('stopped'));

    await expect(work).rejects.toThrow('stopped');
    await expect(unlessAborted(stop.signal, never)).rejects.toThrow('stopped');
  });

  it('gives what the work gives before that', async () => {
    await expect(unlessAborted(new AbortController().signal, Promise.resolve('done'))).resolves.toBe('done');
  });
});
