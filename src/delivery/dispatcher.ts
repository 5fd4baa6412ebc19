/**
 * Port: who works when. A lane is a name under which at most one run goes on at a time; what a run does is handed in
 * at the start.
 */
export type Dispatcher = {
  /**
   * Has the lane run soon, or at a time (epoch ms). While it runs, it will run once more afterwards. A wake-up at a
   * time never takes the place of an immediate one.
   */
  wake(lane: string, at?: number): void;
  /** Starts working. Returns the wake-up time that the lane asks for itself, or nothing. */
  start(run: (lane: string) => Promise<number | undefined>): void;
  /** Stops starting runs, and resolves when none goes on any more or the time (ms) is up. True: none goes on. */
  drain(deadlineMs: number): Promise<boolean>;
};
