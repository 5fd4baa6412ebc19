import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AdminRefusedError, AdminThrottledError } from '../../../src/admin-api/admin-errors.ts';
import { CHANNEL, createReviewHarness, drift, type ReviewHarness, used } from './review-harness.ts';

let harness: ReviewHarness;

beforeEach(() => {
  harness = createReviewHarness();
});

describe('a process that dies', () => {
  /** How many calls a run with news makes. */
  const CALLS = 120;

  /** Dies at one call of a run with news after the other, until the run is over sooner. */
  async function dieAtEach(crash: { when: 'before' | 'after'; staysDown: boolean }, then: () => Promise<void>) {
    for (let call = 1; call <= CALLS; call++) {
      harness = createReviewHarness();
      await harness.begin();
      for (const id of ['lab', 'shop']) harness.allocations.set(id, drift(id));
      harness.entitlements.set('lab', [used(900)]);
      harness.crashAt = { call, ...crash };

      await harness.nextDay();
      const hasDied = harness.crashAt === undefined;
      harness.crashAt = undefined;
      await then();

      const told = harness.posted.map(({ channel }) => channel);
      expect([call, ...told.toSorted()]).toEqual([call, CHANNEL, 'DULAB', 'DUSHOP']);
      expect(harness.texts('DULAB')[0]).toContain('has used 90 %');
      if (!hasDied) return;
    }
    throw new Error('a run makes more calls than were tried');
  }

  it.each(['before', 'after'] as const)('%s any of its calls says nothing twice and loses nothing', async (when) => {
    await dieAtEach({ when, staysDown: false }, () => harness.work());
  });

  it.each(['before', 'after'] as const)(
    '%s any of its calls, and comes back for the run of the next day, neither',
    async (when) => {
      await dieAtEach({ when, staysDown: true }, () => harness.nextDay());
    },
  );

  it('after it has kept what it found does not look again', async () => {
    await dieAtEach({ when: 'after', staysDown: true }, async () => {
      if (await harness.hasOutbox()) harness.inventoryError = new AdminRefusedError('admin_forbidden', 'query');
      await harness.work();
    });
  });
});

describe('a replica that stood still', () => {
  it('claims nothing and writes nothing once it has lost the lane', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
    harness.entitlements.set('lab', [used(900)]);
    harness.now = Date.parse('2026-11-20T07:00:00Z');
    let isHeld = true;
    const review = harness.start();
    harness.onRead = () => {
      isHeld = false;
    };
    expect(await review.run(() => isHeld)).toBeUndefined();
    expect(await harness.hasOutbox()).toBe(false);

    await harness.work();

    expect(harness.posted.map(({ channel }) => channel)).toEqual([CHANNEL, 'DULAB']);
    expect(harness.texts('DULAB')[0]).toContain('has used 90 %');
  });

  it('does not put its review in the place of a newer one', async () => {
    await harness.begin();
    harness.allocations.set('lab', drift('lab'));
    harness.now = Date.parse('2026-11-20T07:00:00Z');
    let isHeld = true;
    harness.onCall = (method, channel) => {
      if (method === 'chat.postMessage' && channel === CHANNEL) isHeld = false;
    };
    const before = await harness.snapshotAt();

    expect(await harness.start().run(() => isHeld)).toBeUndefined();

    expect(await harness.snapshotAt()).toBe(before);
  });
});

describe('an attempt', () => {
  afterEach(() => vi.useRealTimers());

  it('that takes too long ends, and people are told', async () => {
    await harness.begin();
    harness.inventoryError = new AdminThrottledError('query', 30_000);
    harness.now = Date.parse('2026-11-20T07:00:00Z');
    harness.ports.wait = (_ms, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

    const running = harness.start().run(() => true);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    await running;

    expect(harness.texts(CHANNEL)).toEqual([expect.stringContaining('It took too long')]);
  });
});
