import type { PlaceForTurn } from '../conversation/accept-turn.ts';
import type { Turn } from '../conversation/turn.ts';
import type { Log } from '../log.ts';

/** Port: runs lanes. At most one run of a lane goes on at a time, across all replicas. */
export type Dispatcher = {
  /**
   * Runs the lane soon, or at a time (epoch ms). If it is running, it runs once more afterwards. A timed wake-up never
   * replaces an immediate one, a later one may replace it. Never rejects; resolves once a dispatcher that hands it to
   * others has done so. Best effort: what is lost is found by whoever looks for lanes that are due.
   */
  wake(lane: string, at?: number): Promise<void>;
  /** Runs a lane that nobody may be at. False: it is running here, or there is no room for it. */
  remind(lane: string): boolean;
  /**
   * Keeps a place for a lane whose next turn is being accepted, so that the turn is taken as it is written. Undefined: the
   * lane runs, or it cannot run here now.
   */
  reserve(lane: string): PlaceForTurn | undefined;
  /** Under which name this process holds lanes in the store. */
  holder(): string;
  /**
   * Starts working; resolves once its code is loaded. A run returns when to wake the lane again (epoch ms), or undefined.
   * `onStalled`: a lane is taken over from a silent replica.
   */
  start(run: RunLane, onStalled?: () => void): Promise<void>;
  /** Starts no more runs. Resolves with true when none is left, with false after the time (ms). */
  drain(deadlineMs: number): Promise<boolean>;
};

/**
 * `isHeld`: whether the lane is still this run's. If not, another replica may be running it. `taken`: the turn to begin
 * with, whose run has begun.
 */
export type RunLane = (lane: string, isHeld: () => boolean, taken?: Turn) => Promise<number | undefined>;

/** The pause after a run that throws, because of a bug or a store failure, or whose lane was lost. */
export const FAILED_RUN_MS = 1_000;

/** Makes a run that never throws. The lane is woken again after a failure, and where it was lost: perhaps nobody has it. */
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
