// Sends what a scheduled review found: first to the channel, then to the owners. A replica that takes over continues there.
import { randomUUID } from 'node:crypto';
import { TransientError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Content } from '../../slack/views/content.ts';
import { SlackRefusedError } from '../../slack/web/slack-errors.ts';
import { notPosted } from './problem-messages.ts';
import { type Attempt, LaneLostError } from './review-attempt.ts';
import { createScheduleRecords, type Message, type Outbox, type OwnerNotice } from './schedule-records.ts';
import { patiently, requireChannel, type ScheduledServices } from './slack-delivery.ts';

/** How many owners were written to, how many are to be tried again, and how many cannot be. */
export type Sent = { sent: number; left: number; refused: number };

/** `workspace`: of the installation. */
type SendServices = ScheduledServices & { workspace: string };

/**
 * The next review is compared with this one only once the channel has its message. Throws ReviewNotDoneError if the
 * channel cannot be posted to, UnknownWorkspaceError if the app is not installed any more, LaneLostError, and a
 * TransientError if it is to be tried again. What owners could not be sent now is kept.
 */
export async function sendAll(outbox: Outbox, attempt: Attempt, services: ScheduledServices): Promise<Sent> {
  const records = createScheduleRecords(services);
  const { workspace } = await services.findInstallation(services.channel.team);
  const sendServices = { ...services, workspace };
  if (outbox.report) {
    await postReport(outbox.report.post, outbox.due, { attempt, services: sendServices });
    await records.saveSnapshot(outbox.report.snapshot);
    await records.keep({ ...outbox, report: undefined });
  }
  const { sent, left, dropped } = await sendToOwners(outbox.notices, attempt, sendServices);
  if (dropped.length > 0) await giveToChannel(dropped, services);
  if (left.length === 0) await records.drop();
  else await records.keep({ ...outbox, report: undefined, notices: left });
  return { sent, left: left.length, refused: dropped.length };
}

/** The next post names what owners could not be written to about. */
async function giveToChannel(dropped: readonly OwnerNotice[], services: ScheduledServices): Promise<void> {
  const names = dropped.flatMap((notice) => notice.names);
  const { changeState } = createScheduleRecords(services);
  await changeState(({ unsent }) => ({ unsent: [...new Set([...unsent, ...names])].slice(0, MAX_UNSENT) }));
}

const MAX_UNSENT = 100;

/** Gives what could not be sent back to the next run, by releasing its claims. `all`: also what earlier runs found. */
export async function takeBack(
  { due, report, notices, ...outbox }: Outbox,
  { all }: { all: boolean },
  services: ScheduledServices,
): Promise<void> {
  const records = createScheduleRecords(services);
  const kept = all ? [] : notices.filter((notice) => notice.due !== due);
  const gone = notices.filter((notice) => !kept.includes(notice));
  for (const claim of [...(report?.claims ?? []), ...gone.flatMap(({ claims }) => claims)]) {
    await services.once.take(claim);
  }
  if (kept.length === 0) await records.drop();
  else await records.keep({ ...outbox, due, report: undefined, notices: kept });
}

type Sending = { attempt: Attempt; services: SendServices };

async function postReport(content: Message, due: number, { attempt, services }: Sending): Promise<void> {
  const { id: channel } = services.channel;
  // The channel may have been shared since the review was read: an outbox may be a day old.
  await requireChannel(attempt, services);
  try {
    await postOnce({ channel, content, due }, { attempt, services });
  } catch (error) {
    throw error instanceof SlackRefusedError ? notPosted(channel, error.slackError, { cause: error }) : error;
  }
}

/** How long it is tried to reach somebody. */
const PATIENCE_MS = 30 * 60_000;

/** Then the problem is not with these people: Slack is down, and the others are left for the next attempt. */
const MAX_FAILURES_IN_A_ROW = 3;

/** One after the other. Throws LaneLostError, and the signal's reason once that is aborted. */
async function sendToOwners(notices: readonly OwnerNotice[], attempt: Attempt, services: SendServices) {
  const all = { sent: 0, left: [] as OwnerNotice[], dropped: [] as OwnerNotice[] };
  let inARow = 0;
  for (const [index, notice] of notices.entries()) {
    const outcome = await sendToOwner(notice, attempt, services);
    inARow = outcome === 'failed' ? inARow + 1 : 0;
    const failingSince = notice.failingSince ?? services.now();
    if (outcome === 'sent') all.sent += 1;
    else if (outcome === 'refused' || services.now() - failingSince >= PATIENCE_MS) all.dropped.push(notice);
    else all.left.push({ ...notice, failingSince });
    if (inARow < MAX_FAILURES_IN_A_ROW) continue;
    // The next attempt begins with those.
    all.left.unshift(...notices.slice(index + 1));
    break;
  }
  return all;
}

async function sendToOwner(
  { user, content, due }: OwnerNotice,
  attempt: Attempt,
  services: SendServices,
): Promise<'sent' | 'refused' | 'failed'> {
  const { workspace, channels, log } = services;
  try {
    const channel = await patiently(() => channels.directMessage(workspace, user, 'notice'), attempt);
    await postOnce({ channel, content, due }, { attempt, services });
    return 'sent';
  } catch (error) {
    attempt.signal.throwIfAborted();
    if (error instanceof LaneLostError) throw error;
    const isRefused = error instanceof SlackRefusedError;
    if (!(isRefused || error instanceof TransientError || error instanceof OutcomeUnknownError)) throw error;
    log.warn({ err: error }, 'an owner could not be written to');
    return isRefused ? 'refused' : 'failed';
  }
}

/** `due`: the time of the run (epoch ms), which posts one message for each channel. */
type Post = { channel: string; content: Message; due: number };

const CLAIM_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Posts a message of a run once, whichever replica does: all but the first attempt look whether it is there. Throws what
 * the messenger does, and LaneLostError.
 */
async function postOnce({ channel, content, due }: Post, { attempt, services }: Sending): Promise<void> {
  const { workspace, messenger, once, now } = services;
  const key = { workspace, turnId: `review:${due}`, part: 0 };
  const guard = {
    // Each attempt claims as somebody else, so that only the very first one succeeds.
    async isFirst() {
      const holder = randomUUID();
      return (await once.claim(`notice:post:${due}:${channel}`, holder, now() + CLAIM_MS)) === holder;
    },
    check() {
      if (!attempt.isHeld()) throw new LaneLostError();
    },
    wait: attempt.wait,
  };
  await patiently(() => messenger.postOnce({ channel, content: content as Content, key, since: due }, guard), attempt);
}
