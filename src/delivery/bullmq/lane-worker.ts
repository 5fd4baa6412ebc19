import { type IRedisClient, Worker } from 'bullmq';
import type { Log } from '../../log.ts';
import type { RunLane } from '../dispatcher.ts';
import { createLaneRuns } from './lane-runs.ts';
import { createLeases } from './leases.ts';
import type { WakeUp, WakeUpName, WakeUps } from './wake-ups.ts';

export type LaneWorker = {
  isRunning(lane: string): boolean;
  /** Fetches nothing more from now on, and resolves when all that runs has ended and Redis knows it. */
  drain(): Promise<void>;
  /** Leaves what runs to itself: Redis will hear no more of it. */
  end(): void;
};

export type LaneWorkerOptions = {
  queue: { name: string; prefix: string; connection: IRedisClient };
  leaseMs: number;
  concurrency: number;
  run: RunLane;
  wakeUps: WakeUps;
  now(): number;
  log: Log;
  onFault(error: unknown): void;
  /** A lane is taken over from a replica that fell silent. */
  onStalled(): void;
};

/** As a share of the lease. A lane whose replica died goes on elsewhere after at most one lease and two of these. */
const STALLED_CHECK = 0.2;

/** BullMQ's default, 15 s, would add to every failure of Redis. */
const RETRY_MS = 1_000;

export function startLaneWorker(options: LaneWorkerOptions): LaneWorker {
  const { queue, leaseMs, concurrency, run, wakeUps, now, log, onFault, onStalled } = options;
  let isDraining = false;
  const leases = createLeases(
    leaseMs,
    (jobIds, tokens) => worker.extendJobLocks(jobIds, tokens, leaseMs),
    (lost) => log.warn({ lanes: lost }, 'leases of running lanes lost'),
  );
  const runs = createLaneRuns({ run, leases, wakeUps, isDraining: () => isDraining, now, log });
  const worker = new Worker<WakeUp, void, WakeUpName>(queue.name, (job, token = '') => runs.process(job, token), {
    connection: queue.connection,
    prefix: queue.prefix,
    concurrency,
    lockDuration: leaseMs,
    skipLockRenewal: true,
    stalledInterval: Math.round(leaseMs * STALLED_CHECK),
    // However often its replica dies: which turn is to blame, its own record knows.
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
