import type { PlaceForTurn } from '../conversation/accept-turn.ts';
import type { Turn } from '../conversation/turn.ts';
import type { Log } from '../log.ts';

/** Port: runs lanes. Across all replicas, a lane has at most one run at a time. */
export type Dispatcher = {
  /**
   * Runs the lane soon, or at a time (epoch ms). If it is running, it runs once more afterwards. A timed wake-up never
   * replaces an immediate one; a later timed one may replace it. Never rejects. Resolves once a wake-up for other
   * replicas is handed over. Best effort: if a wake-up is lost, the search for due lanes finds the lane.
   */
  wake(lane: string, at?: number): Promise<void>;
  /** Runs a lane that perhaps no replica runs. False: it is running here, or there is no room for it. */
  remind(lane: string): boolean;
  /**
   * Keeps a place for a lane whose next turn is being accepted, so that one write accepts and takes the turn.
   * Undefined: the lane is running, or it cannot run here now.
   */
  reserve(lane: string): PlaceForTurn | undefined;
  /** The name under which this process holds lanes in the store. */
  holder(): string;
  /**
   * Starts working; resolves once its code is loaded. A run returns when to wake the lane again (epoch ms), if at all.
   * `onStalled`: a lane is taken over from a silent replica.
   */
  start(run: RunLane, onStalled?: () => void): Promise<void>;
  /** Starts no more runs. Resolves with true when none is left, or with false after `deadlineMs`. */
  drain(deadlineMs: number): Promise<boolean>;
};

/**
 * `isHeld`: whether the lane is still this run's. If not, another replica may be running it. `taken`: the turn to begin
 * with, whose run has begun.
 */
export type RunLane = (lane: string, isHeld: () => boolean, taken?: Turn) => Promise<number | undefined>;

/** The pause after a run that throws because of a bug or a store failure, or that loses its lane. */
export const FAILED_RUN_MS = 1_000;

/** Makes a run that never throws. After a failure or a lost lane it is woken again: perhaps no replica has the lane. */
export function keepRunning(run: RunLane, log: Log, now: () => number): RunLane {
  return async (lane, isHeld, taken) => {
    try {
      const again = await run(lane, isHeld, taken);
      return again ?? (isHeld() ? undefined : now() + FAILED_RUN_MS);
    } catch (error) {
      log.error({ lane, err: error }, 'lane failed');
      return now() + FAILED_RUN_MS;
    }
  };
}
