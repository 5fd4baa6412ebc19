import { type IRedisClient, type Job, Worker } from 'bullmq';
import type { Log } from '../../log.ts';
import { keepRunning, MAX_CONCURRENT, type RunLane } from '../dispatcher.ts';
import { createLeases, type Lease, type Leases } from './leases.ts';
import type { WakeUp, WakeUpName, WakeUps } from './wake-ups.ts';

export type LaneWorker = {
  isRunning(lane: string): boolean;
  /** Fetches no more jobs. Resolves when all running ones have ended and Redis knows it. */
  drain(): Promise<void>;
  /** Closes without waiting for running jobs. */
  end(): void;
};

export type LaneWorkerOptions = {
  queue: { name: string; prefix: string; connection: IRedisClient };
  leaseMs: number;
  run: RunLane;
  wakeUps: WakeUps;
  now(): number;
  log: Log;
  onFault(error: unknown): void;
  /** A lane is taken over from a silent replica. */
  onStalled(): void;
};

/** As a share of the lease. A lane of a dead replica continues elsewhere after at most one lease and two of these. */
const STALLED_CHECK = 0.2;

/** BullMQ's default of 15 s would prolong every failure of Redis. */
const RETRY_MS = 1_000;

export function startLaneWorker(options: LaneWorkerOptions): LaneWorker {
  const { queue, leaseMs, run, wakeUps, now, log, onFault, onStalled } = options;
  let isDraining = false;
  const leases = createLeases(
    leaseMs,
    (jobIds, tokens) => worker.extendJobLocks(jobIds, tokens, leaseMs),
    (lost) => log.warn({ lanes: lost }, 'leases of running lanes lost'),
  );
  const runs = createLaneRuns({ run: keepRunning(run, log, now), leases, wakeUps, isDraining: () => isDraining });
  const worker = new Worker<WakeUp, void, WakeUpName>(queue.name, (job, token = '') => runs.process(job, token), {
    connection: queue.connection,
    prefix: queue.prefix,
    concurrency: MAX_CONCURRENT,
    lockDuration: leaseMs,
    skipLockRenewal: true,
    stalledInterval: Math.round(leaseMs * STALLED_CHECK),
    // Unlimited: crashes are counted per turn, in its record.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    runRetryDelay: RETRY_MS,
  });
  worker.on('error', onFault);
  worker.on('stalled', onStalled);
  return {
    isRunning: runs.isRunning,
    drain() {
      isDraining = true;
      return worker.close();
    },
    end() {
      leases.close();
      void worker.close(true);
    },
  };
}

type LaneRuns = {
  /** What a worker does with a job. Never rejects, so that no job counts as failed. */
  process(job: Job<WakeUp, void, WakeUpName>, token: string): Promise<void>;
  /** Whether the lane runs in this process and its lease is held. */
  isRunning(lane: string): boolean;
};

type LaneRunPorts = {
  /** Never throws: see keepRunning. */
  run: RunLane;
  leases: Leases;
  wakeUps: WakeUps;
  isDraining(): boolean;
};

/** The next wake-up is written before the job ends: a crash in between runs the lane again and loses nothing. */
function createLaneRuns({ run, leases, wakeUps, isDraining }: LaneRunPorts): LaneRuns {
  const runs = new Map<string, { lease: Lease; isOvertaken: boolean }>();

  async function runLane(lane: string, lease: Lease): Promise<void> {
    const current = { lease, isOvertaken: false };
    runs.set(lane, current);
    const again = await run(lane, lease.isHeld);
    runs.delete(lane);
    if (current.isOvertaken) await wakeUps.wake(lane);
    if (again !== undefined) await wakeUps.wake(lane, again);
  }

  return {
    async process({ id = '', name, data: { lane }, processedOn = 0 }, token) {
      // The job's data was lost, and with it the lane.
      if (lane === undefined) return;
      // Fetched while the drain began: put it back for another replica.
      if (name === 'alarm' || isDraining()) return wakeUps.wake(lane);
      const overtaken = runs.get(lane);
      if (overtaken) {
        // Its lease was lost, and the job was fetched again by the process that still runs the lane.
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
