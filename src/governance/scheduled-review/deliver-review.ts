// What a review found is said: in the channel, and to owners. Whoever takes this over goes on where it was left.

import { randomUUID } from 'node:crypto';
import { TransientError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Content } from '../../slack/views/content.ts';
import { SlackRefusedError } from '../../slack/web/slack-errors.ts';
import { type Attempt, LaneLostError, patiently, type ScheduledReviewPorts } from './review-attempt.ts';
import { createReviewRecords, type Outbox, type OutboxReport, type OwnerNotice } from './review-outbox.ts';
import { notPosted, requireChannel } from './review-problem.ts';

/** How many owners were told, how many are to be tried again, and how many cannot be told. */
export type Told = { told: number; left: number; refused: number };

type TellPorts = ScheduledReviewPorts & { workspace: string };

/**
 * Only once its channel has the message is a review the one that the next is compared with. Throws ReviewNotDoneError
 * where nothing can be said there, UnknownWorkspaceError where the app is not installed any more, LaneLostError, and a
 * TransientError where it is to be tried again. What owners could not be told now is kept.
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
    const about = dropped.flatMap((notice) => notice.about);
    await records.changeState(({ untold }) => ({ untold: [...new Set([...untold, ...about])] }));
    for (const claim of dropped.flatMap(({ claims }) => claims)) await ports.reviews.releaseNotice(claim);
  }
  if (left.length === 0) await records.drop();
  else await records.keep({ ...outbox, report: undefined, notices: left });
  return { told, left: left.length, refused: dropped.length };
}

/** What could not be said is another run's again: nothing of it is claimed any more. `all`: also what was found before. */
export async function takeBack(outbox: Outbox, { all }: { all: boolean }, ports: ScheduledReviewPorts): Promise<void> {
  const { due, report, notices } = outbox;
  const records = createReviewRecords(ports);
  const kept = all ? [] : notices.filter((notice) => notice.due !== due);
  const gone = notices.filter((notice) => !kept.includes(notice));
  for (const claim of [...(report?.claims ?? []), ...gone.flatMap(({ claims }) => claims)]) {
    await ports.reviews.releaseNotice(claim);
  }
  await records.changeState(({ untold }) => ({ untold: [...new Set([...untold, ...(report?.untold ?? [])])] }));
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
  { content, due }: { content: Content; due: number },
  attempt: Attempt,
  ports: TellPorts,
): Promise<void> {
  const { id: channel } = ports.channel;
  // It may have been shared since the review was read, and an outbox may be a day old.
  await requireChannel(attempt, ports);
  try {
    await postOnce({ channel, content, due }, attempt, ports);
  } catch (error) {
    throw error instanceof SlackRefusedError ? notPosted(channel, error.slackError, { cause: error }) : error;
  }
}

// Owners are told, one after the other; who cannot be told now keeps nobody else waiting.
type OwnersTold = {
  told: number;
  /** What is to be tried again. */
  left: OwnerNotice[];
  /** What is not. */
  dropped: OwnerNotice[];
};

/** So long somebody is tried to be told. */
const PATIENCE_MS = 30 * 60_000;

/** Then it is not about them: Slack is away, and the others are not even tried. */
const MAX_FAILURES_IN_A_ROW = 3;

/** `workspace`: of the installation. Throws LaneLostError, and what the signal says where that says stop. */
async function tellOwners(
  notices: readonly OwnerNotice[],
  attempt: Attempt,
  ports: ScheduledReviewPorts & { workspace: string },
): Promise<OwnersTold> {
  const told: OwnersTold = { told: 0, left: [], dropped: [] };
  let inARow = 0;
  for (const [index, notice] of notices.entries()) {
    const outcome = await tellOwner(notice, attempt, ports);
    inARow = outcome === 'failed' ? inARow + 1 : 0;
    const failingSince = notice.failingSince ?? ports.now();
    if (outcome === 'told') told.told += 1;
    else if (outcome === 'refused' || ports.now() - failingSince >= PATIENCE_MS) told.dropped.push(notice);
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
  ports: ScheduledReviewPorts & { workspace: string },
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
  /** The run that says it, which says one thing in a channel. Epoch ms. */
  due: number;
};

type PostPorts = Pick<ScheduledReviewPorts, 'messenger' | 'reviews' | 'now'> & { workspace: string };

const CLAIM_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Posts a message of a run, whichever replica it is that does. Who is not the first to try looks whether it is there.
 * Throws what the messenger does, and LaneLostError.
 */
async function postOnce(
  { channel, content, due }: Post,
  attempt: Attempt,
  { workspace, messenger, reviews, now }: PostPorts,
): Promise<void> {
  const key = { workspace, turnId: `review:${due}`, part: 0 };
  const guard = {
    // Each try is one of its own: whether it is the first is what counts.
    isFirst: () => reviews.claimNotice(`post:${due}:${channel}`, now() + CLAIM_MS, randomUUID()),
    check() {
      if (!attempt.isHeld()) throw new LaneLostError();
    },
    wait: attempt.wait,
  };
  await patiently(() => messenger.postOnce({ channel, content, key, since: due }, guard), attempt);
}
