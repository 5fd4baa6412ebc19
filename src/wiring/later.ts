import type { LaneJob } from '../governance/schedule/lane-job.ts';

/** Makes a part on first use and keeps it, so that the start does not wait for it. */
export function later<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The name of the scheduled review's lane. It contains no colon, so no turn can have it. */
export const REVIEW_LANE = 'review';

/** The name of the lane that records the consumption, once a day. */
export const CONSUMPTION_LANE = 'consumption';

/** The name of the lane of runs: see slack-runs.ts. Never rename: another replica may have the next release. */
export const RUN_LANE = 'runs';

/** A job whose code is loaded by its first run. Undefined if it is not configured. */
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
