import type { Config } from '../config.ts';
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

/** The scheduled review, loaded on its first run. Undefined where none is configured. */
export function createLateReview(
  { REVIEW_CRON }: Pick<Config, 'REVIEW_CRON'>,
  load: () => Promise<ScheduledReview | undefined>,
): ScheduledReview | undefined {
  if (!REVIEW_CRON) return undefined;
  let isStopping = false;
  let loaded: ScheduledReview | undefined;
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
