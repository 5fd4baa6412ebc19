// A scheduled review up to what is to be said of it. Nothing is said here.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { TransientError } from '../../errors.ts';
import type { Attempt } from '../../slack/scheduled-review/attempt.ts';
import { createOwnerFinder } from '../../slack/scheduled-review/find-owner.ts';
import { requireChannel } from '../../slack/scheduled-review/require-channel.ts';
import type { Outbox } from '../../slack/scheduled-review/review-records.ts';
import { openReviewerSession } from '../../slack/scheduled-review/reviewer-session.ts';
import { type ReadyRegister, readApproved } from '../review/approved-state.ts';
import type { UnreadableReason } from '../review/finding.ts';
import { openLimits } from '../review/open-limits.ts';
import type { Review } from '../review/review.ts';
import { diffReviews } from '../review/review-diff.ts';
import { runReview } from '../review/run-review.ts';
import { type LevelItem, toFindingItems } from '../review/schedule/owner-items.ts';
import { readLevels } from '../review/schedule/read-levels.ts';
import { findWholeFailure } from '../review/schedule/whole-failure.ts';
import { addressOwners } from './address-owners.ts';
import type { ScheduledReviewPorts } from './review-attempt.ts';
import { composeOutbox } from './review-outbox.ts';
import { notRead, registerUnreadable, registerWrong } from './review-problem.ts';

const PASSING: ReadonlySet<UnreadableReason> = new Set(['admin_unreachable', 'admin_failed', 'admin_throttled']);

/** The service did not let itself be read: later it may. */
export class ReviewUnreadError extends TransientError {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason) {
    super('review_unread', `a review read next to nothing: ${reason}`);
    this.reason = reason;
  }
}

/**
 * `holder`: whose the notices are that are claimed. Throws ReviewNotDoneError, UnknownWorkspaceError where the app is not installed any more, a TransientError where it may
 * work later, and what the signal says where that says stop.
 */
export async function lookAtAll(
  { due, holder }: { due: number; holder: string },
  attempt: Attempt,
  ports: ScheduledReviewPorts,
): Promise<Outbox> {
  const { channel, reviews, now } = ports;
  const installation = await ports.findInstallation(channel.team);
  await requireChannel(attempt, ports);
  // One for all: a month may end while this goes on.
  const at = now();
  const session = await openReviewerSession(attempt, ports);
  const review = await readReview(session, attempt, ports);
  const last = await reviews.lastSnapshot();
  const diff = diffReviews(last, review);
  const { levels, ...unread } = await readLevels(review, { ...toReading(attempt, ports), session, at });
  const finder = createOwnerFinder(installation, attempt, ports);
  const items = [...toFindingItems(diff, review), ...levels.map((level): LevelItem => ({ kind: 'level', ...level }))];
  const addressees = await addressOwners(items, { finder, reviews, at, holder });
  return composeOutbox(
    { due, review, diff, replaces: last?.at, addressees, unread, lacksAddresses: finder.lacksAddresses() },
    ports,
  );
}

async function readReview(session: AdminSession, attempt: Attempt, ports: ScheduledReviewPorts): Promise<Review> {
  const { changes, currency, now, reviewer } = ports;
  const { register, registerHash } = await requireRegister(ports);
  const reading = { ...session, openLimits: () => openLimits({ session, changes, now }) };
  const review = await runReview(reading, {
    ...toReading(attempt, ports),
    ...{ register, registerHash, currency, now },
  });
  const failure = findWholeFailure(review);
  if (failure !== undefined && PASSING.has(failure)) throw new ReviewUnreadError(failure);
  if (failure !== undefined) throw notRead(failure, reviewer.id);
  return review;
}

function toReading({ signal, wait }: Attempt, { log }: ScheduledReviewPorts) {
  return {
    signal,
    wait,
    onUnexpected: (error: unknown) => log.error({ err: error }, 'scheduled review could not read'),
  };
}

async function requireRegister(ports: ScheduledReviewPorts): Promise<ReadyRegister> {
  const approved = await readApproved(ports);
  if (approved.kind === 'problems') throw registerWrong(approved.problems);
  if (approved.kind === 'ready') return approved;
  throw registerUnreadable(approved.kind === 'none' ? {} : { cause: approved.error });
}
