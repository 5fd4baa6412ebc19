/**
 * Port: runs lanes. At most one run of a lane goes on at a time, across all replicas.
 */
export type Dispatcher = {
  /**
   * Runs the lane soon, or at a time (epoch ms). If it is running, it runs once more afterwards. A timed wake-up never
   * replaces an immediate one. Resolves once the wake-up survives a crash, if the dispatcher is durable; never rejects.
   * Callers that do not await it leave a lost wake-up to the sweeper.
   */
  wake(lane: string, at?: number): Promise<void>;
  /** Runs the lane soon unless it is running or about to: for the sweeper. */
  remind(lane: string): void;
  /** Starts working. A run returns when to wake the lane again (epoch ms), or undefined. `tell`: for metrics. */
  start(run: RunLane, tell?: (event: LaneEvent) => void): void;
  /** Starts no more runs. Resolves with true when none is left, with false after the time (ms). */
  drain(deadlineMs: number): Promise<boolean>;
};

/** `stalled`: a lane is taken over from a silent replica. `reminded`: a reminder made a lane run. */
export type LaneEvent = { kind: 'stalled' } | { kind: 'reminded'; lane: string };

/** `isHeld`: whether the lane is still this run's. If not, another replica may be running it. */
export type RunLane = (lane: string, isHeld: () => boolean) => Promise<number | undefined>;
