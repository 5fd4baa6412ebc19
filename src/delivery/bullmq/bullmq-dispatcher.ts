import type { Turn } from '../../conversation/turn.ts';
import { withinTime } from '../../time-limit.ts';
import { type Dispatcher, FAILED_RUN_MS, keepRunning, type RunLane } from '../dispatcher.ts';
import { createLaneRuns } from '../lane-runs.ts';
import { createLeases, type Lease, type LeaseStore } from '../leases.ts';
import type { WakeUpOptions, WakeUps } from './wake-ups.ts';

/** `leaseMs`: how long a lane stays with a replica that died or hangs, in ms. */
export type BullmqOptions = WakeUpOptions & { leases: LeaseStore; leaseMs: number };

export type BullmqDispatcher = Dispatcher & {
  /** Ends the connections, within about a second. Running lanes move to other replicas when their leases end. */
  close(): Promise<void>;
};

const loadWakeUps = () => import('./wake-ups.ts');

/**
 * The dispatcher for any number of processes on one Redis. A lane runs here if there is room and its lease is taken.
 * BullMQ, loaded on first use, hands lanes to other replicas and wakes them at times; the work is in the store.
 */
export function createBullmqDispatcher({ leases: store, leaseMs, ...options }: BullmqOptions): BullmqDispatcher {
  const { now, log } = options;
  const runs = createLaneRuns<{ turn: Turn; lease: Lease }>();
  const leases = createLeases({
    store,
    leaseMs,
    onLost() {
      if (runs.running.size > 0) log.warn({ lanes: runs.running.size }, 'leases of running lanes lost');
    },
    onWanted: wake,
  });
  let wakeUps: Promise<WakeUps> | undefined;

  function loaded(): Promise<WakeUps> {
    wakeUps ??= loadWakeUps().then(({ openWakeUps }) => openWakeUps(options));
    return wakeUps;
  }

  async function wake(lane: string, at?: number): Promise<void> {
    if (runs.isDraining || (at !== undefined && at > now())) return handOver(lane, at);
    runs.wake(lane);
  }

  async function handOver(lane: string, at?: number): Promise<void> {
    // Release it first: otherwise the replica that gets the lane finds it held here.
    await leases.flush();
    await (await loaded()).send(lane, at);
  }

  async function runLane(run: RunLane, lane: string, lease: Lease, turn?: Turn): Promise<void> {
    const again = await run(lane, lease.isHeld, turn);
    lease.release();
    if (again !== undefined) void wake(lane, again);
  }

  return {
    wake,
    remind: runs.begin,
    reserve(lane) {
      const lease = leases.prepare(lane);
      const place = lease && runs.reserve(lane);
      // If the reply that the turn was taken is lost, `dueLanes` finds the lane: it is due, and held by this replica.
      return place && { ...place, holder: lease.holder, begin: (turn) => place.begin({ turn, lease }) };
    },
    holder: () => leases.token,
    async start(run, onStalled = () => undefined) {
      const keepOn = keepRunning(run, log, now);
      runs.start(async (lane, reserved) => {
        if (reserved) return runLane(keepOn, lane, reserved.lease, reserved.turn);
        const taken = await leases.take(lane).catch(() => void wake(lane, now() + FAILED_RUN_MS));
        if (taken?.isTakenOver) onStalled();
        if (taken) await runLane(keepOn, lane, taken.lease);
      });
      (await loaded()).receive(wake);
    },
    async drain(deadlineMs) {
      const drained = Promise.all([runs.drain(deadlineMs), (await wakeUps)?.drain()]).then(async ([isDone]) => {
        await leases.flush();
        await Promise.all([...runs.due].map((lane) => handOver(lane)));
        return isDone;
      });
      return withinTime(deadlineMs, drained, () => false);
    },
    async close() {
      await Promise.all([leases.close(), (await wakeUps)?.close()]);
    },
  };
}
