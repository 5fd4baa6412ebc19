import type { Config } from '../config.ts';
import type { Runs } from '../governance/run/slack-runs.ts';
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

/** The scheduled review, or what runs as it does, loaded on its first run. Undefined where none is configured. */
export function createLateReview(
  { REVIEW_CRON }: Pick<Config, 'REVIEW_CRON'>,
  load: () => Promise<LaneJob | undefined>,
): LaneJob | undefined {
  return REVIEW_CRON ? createLate(load) : undefined;
}

/** The runs, loaded on the first look. Undefined where nobody can be an administrator. */
export function createLateRuns(
  { ADMIN_API_BASE_URL, ADMIN_USERS }: Pick<Config, 'ADMIN_API_BASE_URL' | 'ADMIN_USERS'>,
  load: () => Promise<Pick<Runs, 'run' | 'stop'> | undefined>,
): LaneJob | undefined {
  return ADMIN_API_BASE_URL || ADMIN_USERS.length > 0 ? createLate(load) : undefined;
}

function createLate(load: () => Promise<LaneJob | undefined>): LaneJob {
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
