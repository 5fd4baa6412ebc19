import type { Log } from '../log.ts';

/** Port: runs lanes. At most one run of a lane goes on at a time, across all replicas. */
export type Dispatcher = {
  /**
   * Runs the lane soon, or at a time (epoch ms). If it is running, it runs once more afterwards. A timed wake-up never
   * replaces an immediate one. Resolves once the wake-up survives a crash, if the dispatcher is durable; never rejects.
   * Callers that do not await it leave a lost wake-up to the sweeper.
   */
  wake(lane: string, at?: number): Promise<void>;
  /** Runs the lane soon unless it is running or about to: for the sweeper. */
  remind(lane: string): void;
  /**
   * Starts working; resolves once its code is loaded. A run returns when to wake the lane again (epoch ms), or undefined.
   * `tell`: for metrics.
   */
  start(run: RunLane, tell?: (event: LaneEvent) => void): Promise<void>;
  /** Starts no more runs. Resolves with true when none is left, with false after the time (ms). */
  drain(deadlineMs: number): Promise<boolean>;
};

/** `stalled`: a lane is taken over from a silent replica. `reminded`: a reminder made a lane run. */
export type LaneEvent = { kind: 'stalled' } | { kind: 'reminded'; lane: string };

/** `isHeld`: whether the lane is still this run's. If not, another replica may be running it. */
export type RunLane = (lane: string, isHeld: () => boolean) => Promise<number | undefined>;

/** Lanes per process. Turns mostly wait for the service, so many run at once; the limit bounds memory and connections. */
export const MAX_CONCURRENT = 512;

/** The pause after a run that throws, because of a bug or a store failure. */
const FAILED_RUN_MS = 1_000;

/** Makes a run that never throws: after a failure, the lane is woken again a second later. */
export function keepRunning(run: RunLane, log: Log, now: () => number): RunLane {
  return async (lane, isHeld) => {
    try {
      return await run(lane, isHeld);
    } catch (error) {
      log.error({ lane, err: error }, 'lane failed');
      return now() + FAILED_RUN_MS;
    }
  };
}
