import type { Config } from '../config.ts';
import type { BulkRuns } from '../governance/bulk/slack-bulk-run.ts';
import type { ScheduledReview } from '../governance/scheduled-review/scheduled-review.ts';

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

/** The same of bulk changes. Never rename: another replica may be of the next release. */
export const BULK_LANE = 'bulk';

/** The scheduled review, or what runs as it does, loaded on its first run. Undefined where none is configured. */
export function createLateReview(
  { REVIEW_CRON }: Pick<Config, 'REVIEW_CRON'>,
  load: () => Promise<ScheduledReview | undefined>,
): ScheduledReview | undefined {
  return REVIEW_CRON ? createLate(load) : undefined;
}

/** The bulk changes, loaded on the first run. Undefined where there is no administrative interface. */
export function createLateBulk(
  { ADMIN_API_BASE_URL }: Pick<Config, 'ADMIN_API_BASE_URL'>,
  load: () => Promise<BulkRuns | undefined>,
): BulkRuns | undefined {
  return ADMIN_API_BASE_URL ? createLate(load) : undefined;
}

type Runs = Pick<ScheduledReview, 'run' | 'stop'>;

function createLate(load: () => Promise<Runs | undefined>): Runs {
  let isStopping = false;
  let loaded: Runs | undefined;
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
