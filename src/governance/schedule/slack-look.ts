// A scheduled review up to its outbox: reads, compares, and finds out who is written to. Sends nothing.
import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import { TransientError } from '../../errors.ts';
import { createReviewKeeper } from '../review/kept-review.ts';
import {
  countDiffering,
  countGroups,
  countUnknown,
  countWhy,
  type News,
  type Review,
  type ReviewHead,
} from '../review/review.ts';
import { buildReviewMessage } from '../review/review-views.ts';
import { type Reviewed, runReview } from '../review/run-review.ts';
import { readPage } from '../review/shown-review.ts';
import { logReview } from '../review/slack-review.ts';
import { createPacedSession, type PaceOptions } from '../run/paced-session.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import { type Addressees, addressOwners } from './address-owners.ts';
import { readLevels } from './consumption-levels.ts';
import { findNews, type Snapshot } from './news.ts';
import { toOwnerItems } from './owner-items.ts';
import { buildOwnerMessage, describeUnreached, nameUnreached } from './owner-message.ts';
import { emptyPolicy, notAllowed, notRead, notSignedIn } from './problem-messages.ts';
import type { Attempt } from './review-attempt.ts';
import { openReviewerSession, type Reviewer } from './reviewer-session.ts';
import { createScheduleRecords, type Outbox, type OwnerNotice } from './schedule-records.ts';
import { createFindOwner, requireChannel, type ScheduledServices } from './slack-delivery.ts';

/** The service could not be read now; later it may. */
export class ReviewUnreadError extends TransientError {
  constructor() {
    super('review_unread', 'a scheduled review could read next to nothing');
  }
}

/**
 * `holder`: who claims the notices. Throws ReviewNotDoneError, UnknownWorkspaceError if the app is not installed any more,
 * a TransientError if it may work later, and the signal's reason once that is aborted.
 */
export async function lookAtAll(
  { due, holder }: { due: number; holder: string },
  attempt: Attempt,
  services: ScheduledServices,
): Promise<Outbox> {
  const { channel, once, now, currency, levels: wanted } = services;
  const installation = await services.findInstallation(channel.team);
  await requireChannel(attempt, services);
  // One point in time for all of them: a month may end meanwhile.
  const at = now();
  const reviewer = await openReviewerSession(attempt, services);
  const reviewed = await review(reviewer, attempt, services);
  const records = createScheduleRecords(services);
  const { isFirst, fresh, over, noted } = findNews(await records.snapshot(), reviewed);
  const session = createPacedSession(reviewer.session, attempt.signal, toPace(services));
  const { levels, unread } = await readLevels(reviewed.seen, { session, levels: wanted, currency, at });
  const items = toOwnerItems(isFirst ? [] : fresh, levels, reviewed, at);
  const findOwner = createFindOwner(installation, attempt, services);
  const addressees = await addressOwners(items, { findOwner, once, at, holder });
  const { unsent = [] } = (await records.state()) ?? {};
  const lines = [
    ...describeUnreached([...new Set([...unsent, ...nameUnreached(addressees.unreached)])], addressees.leftOut),
    ...(unread > 0 ? [`What ${unread} environments have used could not be read.`] : []),
  ];
  await logReview(reviewed.head, reviewer.caller, services);
  const { policy } = reviewed.head;
  const figures = { differing: countDiffering(reviewed.head), unknown: countUnknown(reviewed.head) };
  const snapshot: Snapshot = { at: reviewed.head.at, policy, ...figures, noted };
  const news: News = { isFirst, review: reviewed.head.id, over, ...figures };
  const post = await compose(reviewed, { fresh, news, lines }, services);
  return {
    due,
    report: { post, snapshot, claims: addressees.claims },
    notices: addressees.people.map((person) => toNotice(person, due, services)),
  };
}

async function review({ session }: Reviewer, attempt: Attempt, services: ScheduledServices): Promise<Reviewed> {
  const { policy } = await services.policy.read();
  if (Object.keys(policy.entries).length === 0) throw emptyPolicy();
  try {
    const reviewed = await runReview(session, { ...services, stopping: attempt.signal }, { pace: toPace(services) });
    if (reviewed === undefined || reviewed.head.unreadable.count > reviewed.head.environments / 2) {
      throw new ReviewUnreadError();
    }
    return reviewed;
  } catch (error) {
    throw toProblem(error, services);
  }
}

function toPace({ now, wait }: Pick<ScheduledServices, 'now' | 'wait'>): PaceOptions {
  return { now, ...(wait && { wait }) };
}

/** What may be over later stays as it is. */
function toProblem(error: unknown, { reviewer }: Pick<ScheduledServices, 'reviewer'>): unknown {
  if (isAdminRefusal(error, 'admin_unauthorized')) return notSignedIn(reviewer.id, { cause: error });
  if (isAdminRefusal(error, 'admin_forbidden')) return notAllowed(reviewer.id);
  const failure = error instanceof TransientError ? undefined : toAdminFailure(error);
  return failure === undefined ? error : notRead(failure.code, failure.sentence);
}

/** The whole review is kept, and what is new as a review of its own, so that its buttons work alike. */
async function compose(
  reviewed: Reviewed,
  { fresh, news, lines }: { fresh: Review['findings']; news: News; lines: string[] },
  services: ScheduledServices,
) {
  const keeper = createReviewKeeper(services.once);
  const { head, findings } = reviewed;
  const shown: Review = news.isFirst
    ? { head: { ...head, news }, findings }
    : {
        head: { ...toQuiet(head, services.now()), id: services.createId(), news, ...countFresh(fresh) },
        findings: fresh,
      };
  if (!news.isFirst) await keeper.keep({ head, findings });
  const kept = await keeper.keep(shown);
  const page = await readPage(kept, 0, services.channel, services);
  return buildReviewMessage(page, { timeZone: services.channelTimeZone, lines });
}

function countFresh(fresh: Review['findings']) {
  return { counts: countGroups(fresh), unknown: countWhy(fresh) };
}

/** Without what is the same every day. */
function toQuiet(head: ReviewHead, now: number): ReviewHead {
  const { sendAgainBy = Number.POSITIVE_INFINITY } = head.asSent;
  const asSent = sendAgainBy - now < SOON_MS ? head.asSent : { count: 0, sendAgainBy: undefined };
  const none = { count: 0, names: [] };
  return { ...head, asSent, noAmount: none, gone: none, ungoverned: 0, caps: 0 };
}

/** So long before limits have to be sent again it is said every day. */
const SOON_MS = 7 * 24 * 3_600_000;

function toNotice(
  { user, items, claims }: Addressees['people'][number],
  due: number,
  { reviewer }: Pick<ScheduledServices, 'reviewer'>,
): OwnerNotice {
  return { user, content: buildOwnerMessage(items, reviewer.id), due, names: nameUnreached(items), claims };
}
