import { Cron } from 'croner';

export type ReviewSchedule = {
  /**
   * The time (epoch ms) of the run that has come since `settledAt` and is not settled. Of several that were missed it is
   * the last; one that is older than a day is let go.
   */
  findDue(settledAt: number, now: number): number | undefined;
  /** Undefined: there is none any more. */
  findNext(now: number): number | undefined;
};

/** By then the next day's run is about to come, or nobody waits for this one any more. */
const MAKE_UP_MS = 24 * 60 * 60 * 1000;

/** `pattern`: REVIEW_CRON, which was checked. `timeZone`: IANA; in its clock changes a run neither falls out nor doubles. */
export function createReviewSchedule(pattern: string, timeZone: string): ReviewSchedule {
  const cron = new Cron(pattern, { mode: '5-or-6-parts', timezone: timeZone });
  return {
    findDue(settledAt, now) {
      // Before a time means before it: a look in its very millisecond would miss it.
      const [last] = cron.previousRuns(1, new Date(now + 1));
      const at = last?.getTime();
      return at === undefined || at <= settledAt || now - at > MAKE_UP_MS ? undefined : at;
    },
    findNext: (now) => cron.nextRun(new Date(now))?.getTime(),
  };
}
