// A scheduled review up to what is to be said of it. Nothing is said here.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { TransientError } from '../../errors.ts';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { type Installation, UnknownWorkspaceError } from '../../slack/installation.ts';
import { isSlackError, SlackUnavailableError } from '../../slack/web/slack-errors.ts';
import { type ReadyRegister, readApproved } from '../review/approved-state.ts';
import type { UnreadableReason } from '../review/finding.ts';
import { diffReviews } from '../review/review-diff.ts';
import type { Review } from '../review/review-summary.ts';
import { openLimits, runReview } from '../review/run-review.ts';
import { isAdmin } from '../shell/admin-rules.ts';
import { addressOwners, createOwnerFinder } from './address-owners.ts';
import { type LevelItem, readLevels, toFindingItems } from './consumption-levels.ts';
import { type Attempt, patiently, type ScheduledReviewPorts } from './review-attempt.ts';
import { findWholeFailure } from './review-news.ts';
import { composeOutbox, type Outbox } from './review-outbox.ts';
import { notAdmin, notRead, notSignedIn, registerUnreadable, registerWrong, requireChannel } from './review-problem.ts';

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

type SessionPorts = Pick<
  ScheduledReviewPorts,
  'reviewer' | 'rules' | 'lookups' | 'people' | 'openSession' | 'findInstallation'
>;

/**
 * The administrative interface in the name of REVIEW_AS, who still has to be a member and an admin. Throws
 * ReviewNotDoneError where they are not, or have to sign in.
 */
async function openReviewerSession(attempt: Attempt, ports: SessionPorts): Promise<AdminSession> {
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

/** Of their own team where it is not the channel's; with the app gone there, so is their sign-in. */
async function findReviewersInstallation({ reviewer, findInstallation }: SessionPorts): Promise<Installation> {
  try {
    return await findInstallation(reviewer.team);
  } catch (error) {
    throw error instanceof UnknownWorkspaceError ? notSignedIn(reviewer.id, { cause: error }) : error;
  }
}

async function isMember(
  { workspace, user }: { workspace: string; user: string },
  attempt: Attempt,
  { people }: SessionPorts,
): Promise<boolean> {
  try {
    return (await patiently(() => people.profile(workspace, user, { importance: 'notice' }), attempt)).isMember;
  } catch (error) {
    if (error instanceof SlackUnavailableError && isSlackError(error.cause, 'user_not_found')) return false;
    throw error;
  }
}
