// Who runs a lane where there are several replicas: the app's leases and lanes, woken as BullMQ wakes them.
import type { Turn } from '../../src/conversation/turn.ts';
import { type Dispatcher, keepRunning } from '../../src/delivery/dispatcher.ts';
import { createLaneRuns } from '../../src/delivery/lane-runs.ts';
import { createLeases, type Lease, type LeaseStore } from '../../src/delivery/leases.ts';
import type { World } from './world.ts';

const LEASE_MS = 10_000;

/** See src/delivery/bullmq/, which connects the same parts with Redis. A wake-up at a time is in the world, and outlives us. */
export function createSharedDispatcher(store: LeaseStore, { handOver, time, log }: World): Dispatcher {
  const now = time.wall;
  const lanes = createLaneRuns<{ turn: Turn; lease: Lease }>();
  const leases = createLeases({
    store,
    leaseMs: LEASE_MS,
    onLost: () => undefined,
    onWanted: (lane) => handOver(lane),
  });

  function wake(lane: string, at?: number): void {
    if (at !== undefined && at > now()) handOver(lane, at - now());
    else lanes.wake(lane);
  }

  return {
    wake: async (lane, at) => wake(lane, at),
    remind: lanes.begin,
    holder: () => leases.token,
    reserve(lane) {
      const lease = leases.prepare(lane);
      const place = lease && lanes.reserve(lane);
      if (!place || !lease) return undefined;
      return { ...place, holder: lease.holder, begin: (turn: Turn) => place.begin({ turn, lease }) };
    },
    async start(run) {
      const keepOn = keepRunning(run, log, now);
      async function runLane(lane: string, lease: Lease, turn?: Turn): Promise<void> {
        const again = await keepOn(lane, lease.isHeld, turn);
        lease.release();
        if (again !== undefined) wake(lane, again);
      }
      lanes.start(async (lane, reserved) => {
        if (reserved) return runLane(lane, reserved.lease, reserved.turn);
        const taken = await leases.take(lane).catch(() => wake(lane, now() + 1_000));
        if (taken) await runLane(lane, taken.lease);
      });
    },
    drain: lanes.drain,
  };
}
