// A scheduled review up to its outbox: reads, compares, and finds out who is written to. Sends nothing.
import { isAdminRefusal } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { TransientError } from '../../errors.ts';
import { keepReview, showPage } from '../review/kept-review.ts';
import {
  countDiffering,
  countFindings,
  countUnknown,
  logReview,
  type News,
  type Review,
  type Reviewed,
  type ReviewHead,
  runReview,
} from '../review/review.ts';
import { buildReviewMessage } from '../review/review-views.ts';
import { createPacedSession, type PaceOptions } from '../run/paced-session.ts';
import { toAdminFailure } from '../shell/admin-failure.ts';
import { findNewLevels, readLevels } from './consumption-levels.ts';
import type { Attempt } from './lane-job.ts';
import { findNews } from './news.ts';
import { notDone, notRead, UNREAD } from './problem-messages.ts';
import type { Outbox, ScheduleState } from './schedule-state.ts';
import { openReviewerSession, requireChannel, type ScheduledServices } from './slack-delivery.ts';
import {
  addressOwners,
  buildOwnerMessage,
  createFindOwner,
  describeUnreached,
  nameUnreached,
  type OwnerItem,
  toOwnerItems,
} from './slack-owners.ts';

/**
 * Throws ReviewNotDoneError, UnknownWorkspaceError if the app is not installed any more, a TransientError if it may work
 * later, and the signal's reason once that is aborted.
 */
export async function lookAtAll(
  due: number,
  { snapshot: before, levels: said, unsent }: ScheduleState,
  attempt: Attempt,
  services: ScheduledServices,
): Promise<Outbox> {
  const { channel, now, currency, levels: wanted } = services;
  const installation = await services.findInstallation(channel.team);
  await requireChannel(attempt, services);
  // One point in time for all of them: a month may end meanwhile.
  const at = now();
  const reviewer = await openReviewerSession(attempt, services);
  const reviewed = await review(reviewer.session, attempt, services);
  const { isFirst, fresh, over, noted } = findNews(before, reviewed);
  const session = createPacedSession(reviewer.session, attempt.signal, toPace(services));
  const { levels, unread } = await readLevels(reviewed.seen, { session, levels: wanted, currency, at });
  const used = findNewLevels(levels, said, at);
  const items = toOwnerItems(isFirst ? [] : fresh, used.fresh, reviewed, at);
  const findOwner = createFindOwner(installation, attempt, services);
  const { people, nobody, unsure, leftOut } = await addressOwners(items, findOwner);
  const lines = [
    ...describeUnreached([...new Set([...unsent, ...nameUnreached([...nobody, ...unsure])])], leftOut),
    ...(unread > 0 ? [`What ${unread} environments have used could not be read.`] : []),
  ];
  const { head } = reviewed;
  await logReview(head, reviewer.caller, services);
  const figures = { differing: countDiffering(head), unknown: countUnknown(head) };
  const snapshot = { at: head.at, policy: head.policy, ...figures, noted };
  const post = await compose(
    reviewed,
    { fresh, news: { isFirst, review: head.id, over, lines, ...figures } },
    services,
  );
  return {
    due,
    // Levels that were too many at once, or whose owners Slack did not say, are found again tomorrow.
    report: { post, snapshot, levels: used.toSaid([...[...people.values()].flat(), ...nobody].filter(isLevel)) },
    notices: [...people].map(([user, theirs]) => ({
      ...{ user, due, content: buildOwnerMessage(theirs, reviewer.caller.user), names: nameUnreached(theirs) },
    })),
  };
}

const isLevel = (item: OwnerItem) => item.kind === 'level';

async function review(session: AdminSession, attempt: Attempt, services: ScheduledServices): Promise<Reviewed> {
  const { policy } = await services.policy.read();
  if (Object.keys(policy.entries).length === 0) throw notDone('policy_empty');
  try {
    const reviewed = await runReview(session, { ...services, stopping: attempt.signal }, { pace: toPace(services) });
    if (reviewed === undefined || hasSeenLittle(reviewed.head)) {
      throw new TransientError(UNREAD, 'a scheduled review could read next to nothing');
    }
    return reviewed;
  } catch (error) {
    throw toProblem(error, services);
  }
}

function hasSeenLittle({ environments, isPart, unreadable }: ReviewHead): boolean {
  return (environments === 0 && isPart) || unreadable.count > environments / 2;
}

function toPace({ now, wait }: Pick<ScheduledServices, 'now' | 'wait'>): PaceOptions {
  return wait ? { elapsed: now, wait } : {};
}

/** A transient error stays as it is. */
function toProblem(error: unknown, { reviewer }: Pick<ScheduledServices, 'reviewer'>): unknown {
  if (isAdminRefusal(error, 'admin_unauthorized')) return notDone('not_signed_in', [reviewer.id], { cause: error });
  if (isAdminRefusal(error, 'admin_forbidden')) return notDone('admin_forbidden', [reviewer.id]);
  const failure = error instanceof TransientError ? undefined : toAdminFailure(error);
  return failure === undefined ? error : notRead(failure);
}

/** Stores the complete review, and what is new as another review, so that the buttons of both work. */
async function compose(
  reviewed: Reviewed,
  { fresh, news }: { fresh: Review['findings']; news: News },
  services: ScheduledServices,
) {
  const { head, findings } = reviewed;
  const shown: Review = news.isFirst
    ? { head: { ...head, news }, findings }
    : {
        head: { ...toQuiet(head, services.now()), id: services.createId(), news, ...countFindings(fresh) },
        findings: fresh,
      };
  if (!news.isFirst) await keepReview({ head, findings }, services);
  const kept = await keepReview(shown, services);
  const page = await showPage(kept, 0, services.channel, services);
  return buildReviewMessage(page, { timeZone: services.channelTimeZone });
}

/** Leaves out what is the same every day. */
function toQuiet(head: ReviewHead, now: number): ReviewHead {
  const { sendAgainBy = Number.POSITIVE_INFINITY } = head.asSent;
  const asSent = sendAgainBy - now < SOON_MS ? head.asSent : { count: 0, sendAgainBy: undefined };
  const none = { count: 0, names: [] };
  return { ...head, asSent, noAmount: none, gone: none, ungoverned: 0, caps: 0 };
}

/** How long before limits have to be sent again the review says so. */
const SOON_MS = 7 * 24 * 3_600_000;
