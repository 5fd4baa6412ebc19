import type { Job } from 'bullmq';
import type { Log } from '../../log.ts';
import type { RunLane } from '../dispatcher.ts';
import type { Lease, Leases } from './leases.ts';
import type { WakeUp, WakeUpName, WakeUps } from './wake-ups.ts';

export type LaneRuns = {
  /** What a worker does with a job. Never rejects, so that no job counts as failed. */
  process(job: Job<WakeUp, void, WakeUpName>, token: string): Promise<void>;
  /** Whether the lane runs in this process, and is still its own. */
  isRunning(lane: string): boolean;
};

export type LaneRunPorts = {
  run: RunLane;
  leases: Leases;
  wakeUps: WakeUps;
  isDraining(): boolean;
  now(): number;
  log: Log;
};

/** A run that throws has a fault of ours or of the store: not again at once. */
const FAILED_RUN_MS = 1_000;

/** What a run asks for is written before its job ends: a crash in between has it run again, and loses nothing. */
export function createLaneRuns({ run, leases, wakeUps, isDraining, now, log }: LaneRunPorts): LaneRuns {
  const runs = new Map<string, { lease: Lease; isOvertaken: boolean }>();

  async function runLane(lane: string, lease: Lease): Promise<void> {
    const current = { lease, isOvertaken: false };
    runs.set(lane, current);
    let again: number | undefined;
    try {
      again = await run(lane, lease.isHeld);
    } catch (error) {
      log.error({ lane, err: error }, 'lane failed');
      again = now() + FAILED_RUN_MS;
    }
    runs.delete(lane);
    if (current.isOvertaken) await wakeUps.wake(lane);
    if (again !== undefined) await wakeUps.wake(lane, again);
  }

  return {
    async process({ id = '', name, data: { lane }, processedOn = 0 }, token) {
      // The record of this job was lost, and with it its lane.
      if (lane === undefined) return;
      // On its way when the drain began, a lane goes back, and another replica gets it.
      if (name === 'alarm' || isDraining()) return wakeUps.wake(lane);
      const overtaken = runs.get(lane);
      if (overtaken) {
        // Its lease was lost, and the job came again, to the very process where the lane still runs.
        overtaken.isOvertaken = true;
        return;
      }
      const lease = leases.hold(id, token, processedOn);
      await runLane(lane, lease);
      lease.release();
    },
    isRunning: (lane) => runs.get(lane)?.lease.isHeld() ?? false,
  };
}
