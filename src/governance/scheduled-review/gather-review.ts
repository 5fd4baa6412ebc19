// A scheduled review up to its outbox: reads, compares, and finds out whom to tell. Sends nothing.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { TransientError } from '../../errors.ts';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { type ReadyRegister, readApproved } from '../review/approved-state.ts';
import type { UnreadableReason } from '../review/finding.ts';
import { diffReviews } from '../review/review-diff.ts';
import type { Review } from '../review/review-summary.ts';
import { openLimits, runReview } from '../review/run-review.ts';
import { isAdmin } from '../shell/admin-rules.ts';
import { addressOwners } from './address-owners.ts';
import { readLevels } from './consumption-levels.ts';
import { type LevelItem, toFindingItems } from './owner-items.ts';
import { notAdmin, notRead, notSignedIn, registerUnreadable, registerWrong } from './problem-messages.ts';
import type { Attempt } from './review-attempt.ts';
import { findWholeFailure } from './review-news.ts';
import { composeOutbox, type Outbox } from './review-outbox.ts';
import {
  createOwnerFinder,
  isMember,
  isNotInstalled,
  patiently,
  requireChannel,
  type ScheduledReviewPorts,
} from './slack-delivery.ts';

const PASSING: ReadonlySet<UnreadableReason> = new Set(['admin_unreachable', 'admin_failed', 'admin_throttled']);

/** The service could not be read now; later it may. */
export class ReviewUnreadError extends TransientError {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason) {
    super('review_unread', `a review read next to nothing: ${reason}`);
    this.reason = reason;
  }
}

/**
 * `holder`: who claims the notices. Throws ReviewNotDoneError, UnknownWorkspaceError if the app is not installed any more,
 * a TransientError if it may work later, and the signal's reason once that is aborted.
 */
export async function lookAtAll(
  { due, holder }: { due: number; holder: string },
  attempt: Attempt,
  ports: ScheduledReviewPorts,
): Promise<Outbox> {
  const { channel, reviews, now } = ports;
  const installation = await ports.findInstallation(channel.team);
  await requireChannel(attempt, ports);
  // One point in time for all of them: a month may end meanwhile.
  const at = now();
  const session = await openReviewerSession(attempt, ports);
  const { review, approved } = await readReview(session, attempt, ports);
  const last = await reviews.lastSnapshot();
  const diff = diffReviews(last, review);
  const { levels, ...unread } = await readLevels(review, {
    ...toReading(attempt, ports),
    ...{ session, at, levels: ports.levels },
  });
  const finder = createOwnerFinder(installation, attempt, ports);
  const items = [...toFindingItems(diff, review), ...levels.map((level): LevelItem => ({ kind: 'level', ...level }))];
  const addressees = await addressOwners(items, { finder, reviews, at, holder });
  return composeOutbox(
    { due, review, approved, diff, replaces: last?.at, addressees, unread, lacksAddresses: finder.lacksAddresses() },
    ports,
  );
}

type Read = { review: Review; approved: ReadyRegister };

async function readReview(session: AdminSession, attempt: Attempt, ports: ScheduledReviewPorts): Promise<Read> {
  const { changes, currency, limitStaleMs, now, reviewer } = ports;
  const approved = await requireRegister(ports);
  const { register, registerHash } = approved;
  const reading = { ...session, openLimits: () => openLimits({ session, changes, now }) };
  const review = await runReview(reading, {
    ...toReading(attempt, ports),
    ...{ register, registerHash, currency, limitStaleMs, now },
  });
  const failure = findWholeFailure(review);
  if (failure !== undefined && PASSING.has(failure)) throw new ReviewUnreadError(failure);
  if (failure !== undefined) throw notRead(failure, reviewer.id);
  return { review, approved };
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

type SessionPorts = Pick<
  ScheduledReviewPorts,
  'reviewer' | 'rules' | 'lookups' | 'people' | 'openSession' | 'findInstallation'
>;

/**
 * The administrative interface in the name of REVIEW_AS, who still has to be a member and an admin. Throws
 * ReviewNotDoneError where they are not, or have to sign in.
 */
export async function openReviewerSession(attempt: Attempt, ports: SessionPorts): Promise<AdminSession> {
  const { reviewer, rules, lookups } = ports;
  const { id: user } = reviewer;
  const { team, workspace } = await findReviewersInstallation(ports);
  const caller = { team, workspace, user, ...(reviewer.team !== workspace && { homeTeam: reviewer.team }) };
  const isStill =
    (await isMember({ workspace, user }, attempt, ports)) &&
    (await patiently(() => isAdmin(caller, rules, lookups), attempt));
  if (!isStill) throw notAdmin(user);
  try {
    return await ports.openSession({ team, user });
  } catch (error) {
    throw error instanceof AccountNotLinkedError ? notSignedIn(user, { cause: error }) : error;
  }
}

/** Of their own team, which may not be the channel's. If the app is gone there, so is their sign-in. */
async function findReviewersInstallation({ reviewer, findInstallation }: SessionPorts) {
  try {
    return await findInstallation(reviewer.team);
  } catch (error) {
    throw isNotInstalled(error) ? notSignedIn(reviewer.id, { cause: error }) : error;
  }
}
