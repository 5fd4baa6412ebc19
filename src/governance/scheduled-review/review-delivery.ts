// Sends what a review found: first to the channel, then to the owners. A replica that takes over continues from there.

import { createHash, randomUUID } from 'node:crypto';
import { TransientError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Content } from '../../slack/views/content.ts';
import { SlackRefusedError, toCallCode } from '../../slack/web/slack-errors.ts';
import { notPosted } from './problem-messages.ts';
import { type Attempt, LaneLostError } from './review-attempt.ts';
import { buildUntoldMessage } from './review-messages.ts';
import { createReviewRecords, type Outbox, type OutboxReport, type OwnerNotice } from './review-outbox.ts';
import { patiently, requireChannel, type ScheduledReviewPorts } from './slack-delivery.ts';
import { mergeUntold, type Untold } from './untold.ts';

/** How many owners were told, how many are to be tried again, and how many cannot be told. */
type Told = { told: number; left: number; refused: number };

/** `workspace`: of the installation. */
type TellPorts = ScheduledReviewPorts & { workspace: string };

/**
 * The next review is compared with this one only once the channel has its message. Throws ReviewNotDoneError if the
 * channel cannot be told, UnknownWorkspaceError if the app is not installed any more, LaneLostError, and a TransientError
 * if it is to be tried again. What owners could not be told now is kept.
 */
export async function tellAll(outbox: Outbox, attempt: Attempt, ports: ScheduledReviewPorts): Promise<Told> {
  const records = createReviewRecords(ports);
  const { workspace } = await ports.findInstallation(ports.channel.team);
  const tellPorts = { ...ports, workspace };
  if (outbox.report) {
    await tellReport(outbox.report, { due: outbox.due, attempt }, tellPorts);
    await records.keep({ ...outbox, report: undefined });
  }
  const { told, left, dropped } = await tellOwners(outbox.notices, attempt, tellPorts);
  if (dropped.length > 0) {
    const untold = dropped.flatMap(toUntold);
    await records.changeState((state) => ({ untold: mergeUntold([...state.untold, ...untold]) }));
    // What Slack refuses it refuses again, and once told to the channel it is not told anew.
    const again = dropped.filter(({ isRefused }) => !isRefused);
    for (const claim of again.flatMap(({ notice }) => notice.claims)) await ports.reviews.releaseNotice(claim);
  }
  if (left.length === 0) await records.drop();
  else await records.keep({ ...outbox, report: undefined, notices: left });
  return { told, left: left.length, refused: dropped.length };
}

/**
 * Tells the channel what owners could not be told, once all else of the run is sent. What cannot be posted now is in the post
 * of the next review. Throws LaneLostError, and the signal's reason once that is aborted.
 */
export async function tellUntold(attempt: Attempt, ports: ScheduledReviewPorts): Promise<void> {
  const records = createReviewRecords(ports);
  const state = await records.state();
  if (!state || state.untold.length === 0 || (await records.outbox()) !== undefined) return;
  const digest = createHash('sha256').update(JSON.stringify(state.untold)).digest('base64url').slice(0, 12);
  try {
    const { workspace } = await ports.findInstallation(ports.channel.team);
    const content = buildUntoldMessage(state.untold);
    await tellChannel({ content, due: state.keptAt, what: `:untold:${digest}` }, attempt, { ...ports, workspace });
    await records.changeState(() => ({ untold: [] }));
  } catch (error) {
    attempt.signal.throwIfAborted();
    if (error instanceof LaneLostError) throw error;
    ports.log.warn({ code: toCallCode(error) }, 'what owners were not told was not posted');
  }
}

/** Gives what could not be told back to the next run, by releasing its claims. `all`: also what earlier runs found. */
export async function takeBack(outbox: Outbox, { all }: { all: boolean }, ports: ScheduledReviewPorts): Promise<void> {
  const { due, report, notices } = outbox;
  const records = createReviewRecords(ports);
  const kept = all ? [] : notices.filter((notice) => notice.due !== due);
  const gone = notices.filter((notice) => !kept.includes(notice));
  for (const claim of [...(report?.claims ?? []), ...gone.flatMap(({ claims }) => claims)]) {
    await ports.reviews.releaseNotice(claim);
  }
  const untold = report?.untold ?? [];
  await records.changeState((state) => ({ untold: mergeUntold([...state.untold, ...untold]) }));
  if (kept.length === 0) await records.drop();
  else await records.keep({ ...outbox, report: undefined, notices: kept });
}

async function tellReport(
  { post, isTruncated, isUnread, snapshot, replaces }: OutboxReport,
  { due, attempt }: { due: number; attempt: Attempt },
  ports: TellPorts,
): Promise<void> {
  if (post) await tellChannel({ content: post, due }, attempt, ports);
  if (!(await ports.reviews.saveSnapshot(snapshot, replaces))) {
    ports.log.warn({ due: new Date(due).toISOString() }, 'another review was told meanwhile');
  }
  if (post) await createReviewRecords(ports).saveLastWord({ at: ports.now(), isTruncated, isUnread });
}

async function tellChannel(
  { content, due, what }: Omit<Post, 'channel'>,
  attempt: Attempt,
  ports: TellPorts,
): Promise<void> {
  const { id: channel } = ports.channel;
  // The channel may have been shared since the review was read: an outbox may be a day old.
  await requireChannel(attempt, ports);
  try {
    await postOnce({ channel, content, due, what }, attempt, ports);
  } catch (error) {
    throw error instanceof SlackRefusedError ? notPosted(channel, error.slackError, { cause: error }) : error;
  }
}

type OwnersTold = {
  told: number;
  /** What is to be tried again. */
  left: OwnerNotice[];
  /** What is not. */
  dropped: Dropped[];
};

type Dropped = { notice: OwnerNotice; isRefused: boolean };

function toUntold({ notice, isRefused }: Dropped): Untold[] {
  return notice.about.map((subject) => ({ ...subject, reason: isRefused ? 'refused' : 'not_taken' }));
}

/** How long it is tried to tell somebody. */
const PATIENCE_MS = 30 * 60_000;

/** Then the problem is not with these people: Slack is down, and the others are left for the next attempt. */
const MAX_FAILURES_IN_A_ROW = 3;

/** One after the other. Throws LaneLostError, and the signal's reason once that is aborted. */
async function tellOwners(notices: readonly OwnerNotice[], attempt: Attempt, ports: TellPorts): Promise<OwnersTold> {
  const told: OwnersTold = { told: 0, left: [], dropped: [] };
  let inARow = 0;
  for (const [index, notice] of notices.entries()) {
    const outcome = await tellOwner(notice, attempt, ports);
    inARow = outcome === 'failed' ? inARow + 1 : 0;
    const failingSince = notice.failingSince ?? ports.now();
    const isRefused = outcome === 'refused';
    if (outcome === 'told') told.told += 1;
    else if (isRefused || ports.now() - failingSince >= PATIENCE_MS) told.dropped.push({ notice, isRefused });
    else told.left.push({ ...notice, failingSince });
    if (inARow < MAX_FAILURES_IN_A_ROW) continue;
    // The next attempt begins with those.
    told.left.unshift(...notices.slice(index + 1));
    break;
  }
  return told;
}

async function tellOwner(
  { user, content, due }: OwnerNotice,
  attempt: Attempt,
  ports: TellPorts,
): Promise<'told' | 'refused' | 'failed'> {
  const { workspace, channels, log } = ports;
  try {
    const channel = await patiently(() => channels.directMessage(workspace, user, 'notice'), attempt);
    await postOnce({ channel, content, due }, attempt, ports);
    return 'told';
  } catch (error) {
    attempt.signal.throwIfAborted();
    if (error instanceof LaneLostError) throw error;
    const isRefused = error instanceof SlackRefusedError;
    if (!(isRefused || error instanceof TransientError || error instanceof OutcomeUnknownError)) throw error;
    log.warn({ err: error }, 'an owner could not be told');
    return isRefused ? 'refused' : 'failed';
  }
}

type Post = {
  channel: string;
  content: Content;
  /** The time of the run (epoch ms), which posts one message of a kind per channel. */
  due: number;
  /** The kind; none for the message of the run itself. */
  what?: string | undefined;
};

const CLAIM_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Posts a message of a run once, whichever replica does: all but the first attempt look whether it is there. Throws what
 * the messenger does, and LaneLostError.
 */
async function postOnce(
  { channel, content, due, what = '' }: Post,
  attempt: Attempt,
  { workspace, messenger, reviews, now }: TellPorts,
): Promise<void> {
  const key = { workspace, turnId: `review:${due}${what}`, part: 0 };
  const guard = {
    // Each attempt claims as somebody else, so that only the very first one succeeds.
    isFirst: () => reviews.claimNotice(`post:${due}${what}:${channel}`, now() + CLAIM_MS, randomUUID()),
    check() {
      if (!attempt.isHeld()) throw new LaneLostError();
    },
    wait: attempt.wait,
  };
  await patiently(() => messenger.postOnce({ channel, content, key, since: due }, guard), attempt);
}
