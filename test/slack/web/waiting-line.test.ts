import { describe, expect, it } from 'vitest';
import type { Bucket } from '../../../src/slack/web/buckets.ts';
import { createWaitingLine } from '../../../src/slack/web/budgets.ts';

const workspace: Bucket = { key: 'method:W1', limit: 600, perMs: 60_000 };
const channel: Bucket = { key: 'method:W1:C1', limit: 60, perMs: 60_000 };

/** So much longer than it has to be a wait may be, in parts of it. */
const JITTER = 1.2;

describe('the waiting line', () => {
  it('sends the first back when there is a token', () => {
    const waitMs = createWaitingLine(() => 0)([channel], 5_000);

    expect(waitMs).toBeGreaterThanOrEqual(5_000);
    expect(waitMs).toBeLessThanOrEqual(5_000 * JITTER);
  });

  it('sends all others back one behind the other, as fast as tokens come', () => {
    const join = createWaitingLine(() => 0);

    const waits = Array.from({ length: 10 }, () => join([workspace, channel], 500));

    for (const [index, waitMs] of waits.entries()) {
      expect(waitMs).toBeGreaterThanOrEqual(500 + index * 1_000);
      expect(waitMs).toBeLessThanOrEqual((500 + index * 1_000) * JITTER);
    }
  });

  it('lets a busy channel hold up the others by no more than what it takes of the workspace', () => {
    const join = createWaitingLine(() => 0);
    for (let others = 0; others < 10; others++) join([workspace, channel], 500);

    const waitMs = join([workspace, { ...channel, key: 'method:W1:C2' }], 500);

    expect(waitMs).toBeLessThanOrEqual((500 + 10 * 100) * JITTER);
  });

  it('is worked off as time goes by', () => {
    let now = 0;
    const join = createWaitingLine(() => now);
    for (let others = 0; others < 10; others++) join([channel], 500);

    now += 9_500;

    expect(join([channel], 500)).toBeLessThanOrEqual(1_000 * JITTER);
  });

  it('never sends anybody away for long, because others may have left it', () => {
    let now = 0;
    const join = createWaitingLine(() => now);
    for (let others = 0; others < 1_000; others++) join([channel], 500);

    const last = join([channel], 500);
    now += 60_000;
    const next = join([channel], 500);

    expect(last).toBeLessThanOrEqual(60_000 * JITTER);
    expect(next).toBeLessThanOrEqual(1_500 * JITTER);
  });
});
