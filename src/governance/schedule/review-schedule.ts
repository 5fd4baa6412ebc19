// When the scheduled review is due.
import { Cron } from 'croner';

export type ReviewSchedule = {
  /**
   * The time (epoch ms) of the last run due since `settledAt`. Earlier missed runs are skipped, and so is one that is more
   * than a day old.
   */
  findDue(settledAt: number, now: number): number | undefined;
  /** Undefined: the pattern has no further run. */
  findNext(now: number): number | undefined;
};

/** After a day, the next run is about to come, or nobody waits for this one any more. */
const MAKE_UP_MS = 24 * 60 * 60 * 1000;

/** `pattern`: REVIEW_CRON, which was checked. `timeZone`: IANA; clock changes neither skip nor repeat a run. */
export function createReviewSchedule(pattern: string, timeZone: string): ReviewSchedule {
  const cron = new Cron(pattern, { mode: '5-or-6-parts', timezone: timeZone });
  return {
    findDue(settledAt, now) {
      // previousRuns() excludes the time itself: a look in that very millisecond would miss the run.
      const [last] = cron.previousRuns(1, new Date(now + 1));
      const at = last?.getTime();
      return at === undefined || at <= settledAt || now - at > MAKE_UP_MS ? undefined : at;
    },
    findNext: (now) => cron.nextRun(new Date(now))?.getTime(),
  };
}
