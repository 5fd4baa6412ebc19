import { PermanentError } from '../../errors.ts';
import type { ScheduledReviewPorts } from '../../governance/scheduled-review/review-attempt.ts';

/** Another replica has the lane: it says what is to be said. */
export class LaneLostError extends PermanentError {
  constructor() {
    super('lane_lost', 'the lane of the scheduled review is not ours any more');
  }
}

type Stores = Pick<ScheduledReviewPorts, 'reviews' | 'once'>;

/**
 * The same stores, which are not written any more once the lane is lost: what a replica that stood still would write is
 * older than what is there. Every write may throw LaneLostError.
 */
export function writeWhileHeld({ reviews, once }: Stores, isHeld: () => boolean): Stores {
  const whileHeld =
    <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (!isHeld()) throw new LaneLostError();
      return write(...args);
    };
  return {
    reviews: {
      lastSnapshot: reviews.lastSnapshot,
      saveSnapshot: whileHeld(reviews.saveSnapshot),
      claimNotice: whileHeld(reviews.claimNotice),
      releaseNotice: whileHeld(reviews.releaseNotice),
    },
    once: { peek: once.peek, put: whileHeld(once.put), take: whileHeld(once.take) },
  };
}
