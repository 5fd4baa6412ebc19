/**
 * Port: who works when. A lane is a name under which at most one run goes on at a time, on whichever replica; what a
 * run does is handed in at the start.
 */
export type Dispatcher = {
  /**
   * Has the lane run soon, or at a time (epoch ms). While it runs, it will run once more afterwards. A wake-up at a
   * time never takes the place of an immediate one. Resolves once the wake-up outlives this process, where it can;
   * never rejects. Who does not wait for that leaves a lost wake-up to the sweeper.
   */
  wake(lane: string, at?: number): Promise<void>;
  /** Has the lane run soon unless it runs already or is about to: for looking after lanes that may have been missed. */
  remind(lane: string): void;
  /** Starts working. A run returns the wake-up time that the lane asks for itself, or nothing. `tell` counts. */
  start(run: RunLane, tell?: (event: LaneEvent) => void): void;
  /** Stops starting runs, and resolves when none goes on any more or the time (ms) is up. True: none goes on. */
  drain(deadlineMs: number): Promise<boolean>;
};

/** `stalled`: a replica fell silent while it ran a lane, which is taken over. `reminded`: a reminder made a lane run. */
export type LaneEvent = { kind: 'stalled' } | { kind: 'reminded'; lane: string };

/** `isHeld` tells whether the lane is still this run's: once it is not, another replica may be running it. */
export type RunLane = (lane: string, isHeld: () => boolean) => Promise<number | undefined>;
