import sinon from 'sinon';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLeases, type LeaseStore } from '../../src/delivery/leases.ts';

const LEASE_MS = 10_000;

let clock: sinon.SinonFakeTimers;
let isAway: boolean;
/** Whether each lane was to be taken only from a replica that let go of it. */
let patience: boolean[];

beforeEach(() => {
  clock = sinon.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
  isAway = false;
  patience = [];
});
afterEach(() => clock.restore());

const store: LeaseStore = {
  renew: async () => (isAway ? Promise.reject(new Error('away')) : true),
  take: async (_lane, _holder, isPatient = false) => {
    patience.push(isPatient);
    return 'taken';
  },
  release: async () => [],
};

it('a replica takes over from no other one just after the store was away: that one could not renew either', async () => {
  const leases = createLeases({ store, leaseMs: LEASE_MS, onLost: () => undefined, onWanted: () => undefined });
  const take = () => leases.take('a').catch(() => undefined);
  await take();
  await clock.tickAsync(3 * LEASE_MS);
  await take();
  expect(patience.splice(0)).toEqual([false, false]);

  for (const awayMs of [0.7 * LEASE_MS, 3 * LEASE_MS]) {
    isAway = true;
    await clock.tickAsync(awayMs);
    isAway = false;
    await take();
    await clock.tickAsync(LEASE_MS / 3);
    await take();
    await clock.tickAsync(LEASE_MS);
    await take();
    expect(patience.splice(0)).toEqual([true, true, false]);
  }
});
