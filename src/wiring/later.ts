import type { LaneJob } from '../governance/schedule/lane-job.ts';

/** Made on first use and kept: for parts that a start need not wait for. */
export function later<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The name of the scheduled review's lane. It contains no colon, so no turn can have it. */
export const REVIEW_LANE = 'review';

/** The name of the lane that records what was used, once a day. */
export const CONSUMPTION_LANE = 'consumption';

/** The same of runs: see slack-runs.ts. Never rename: another replica may be of the next release. */
export const RUN_LANE = 'runs';

/** A job that is loaded with its first run. Undefined where it is not configured. */
export function createLate(isConfigured: boolean, load: () => Promise<LaneJob | undefined>): LaneJob | undefined {
  if (!isConfigured) return undefined;
  let isStopping = false;
  let loaded: LaneJob | undefined;
  return {
    async run(isHeld) {
      loaded ??= await load();
      if (isStopping) loaded?.stop();
      return loaded?.run(isHeld);
    },
    stop() {
      isStopping = true;
      loaded?.stop();
    },
  };
}
