// Sends what a scheduled review found: first to the channel, then to the owners. A replica that takes over continues there.
import { randomUUID } from 'node:crypto';
import { TransientError, UserError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Content } from '../../slack/views/content.ts';
import { SlackRefusedError, toCallCode } from '../../slack/web/slack-errors.ts';
import { tryDm } from '../shell/respond.ts';
import { type Attempt, LaneLostError } from './lane-job.ts';
import { buildDirect, buildProblem, notDone, type ReviewNotDoneError } from './problem-messages.ts';
import type { Message, OwnerNotice, Progress } from './schedule-state.ts';
import { findChannelProblem, patiently, requireChannel, type ScheduledServices } from './slack-delivery.ts';

/** How many owners were written to, how many are to be tried again, and how many cannot be. */
type Sent = { due: string; sent: number; left: number; refused: number };

/** `workspace`: of the installation. */
type Sending = { attempt: Attempt; services: ScheduledServices; workspace: string };

/**
 * The next review is compared with this one only once the channel has its message. Throws ReviewNotDoneError if the
 * channel cannot be posted to, UnknownWorkspaceError if the app is not installed any more, LaneLostError, and a
 * TransientError if it is to be tried again. Messages to owners that fail now are kept. Those that can never be sent are
 * named in the next post.
 */
export async function sendAll(progress: Progress, attempt: Attempt, services: ScheduledServices): Promise<Sent> {
  const { due = 0, report, notices = [] } = progress.state.outbox ?? {};
  const { workspace } = await services.findInstallation(services.channel.team);
  const sending = { attempt, services, workspace };
  if (report) {
    await postReport(report.post, due, sending);
    const { snapshot, levels } = report;
    // The message has named those of before.
    await progress.change({ snapshot, levels, outbox: { due, notices }, unsent: [] });
  }
  const { sent, left, dropped } = await sendToOwners(notices, sending);
  const unsent = new Set([...progress.state.unsent, ...dropped.flatMap(({ names }) => names)]);
  const outbox = left.length === 0 ? undefined : { due, notices: left };
  await progress.change({ outbox, unsent: [...unsent].slice(0, MAX_UNSENT), failing: undefined, said: [] });
  return { due: new Date(due).toISOString(), sent, left: left.length, refused: dropped.length };
}

const MAX_UNSENT = 100;

async function postReport(content: Message, due: number, sending: Sending): Promise<void> {
  const { id: channel } = sending.services.channel;
  // The channel may have been shared since the review was read: an outbox may be a day old.
  await requireChannel(sending.attempt, sending.services);
  try {
    await postOnce({ channel, content, due }, sending);
  } catch (error) {
    const isRefused = error instanceof SlackRefusedError;
    throw isRefused ? notDone('not_posted', [channel, error.slackError], { cause: error }) : error;
  }
}

/** How long to try to reach a person. */
const PATIENCE_MS = 30 * 60_000;

/** After this many failures in a row, Slack is probably down, and the other owners are left for the next attempt. */
const MAX_FAILURES_IN_A_ROW = 3;

/** One after the other. Throws LaneLostError, and the signal's reason once that is aborted. */
async function sendToOwners(notices: readonly OwnerNotice[], sending: Sending) {
  const { now } = sending.services;
  const all = { sent: 0, left: [] as OwnerNotice[], dropped: [] as OwnerNotice[] };
  let inARow = 0;
  for (const [index, notice] of notices.entries()) {
    const outcome = await sendToOwner(notice, sending);
    inARow = outcome === 'failed' ? inARow + 1 : 0;
    const failingSince = notice.failingSince ?? now();
    if (outcome === 'sent') all.sent += 1;
    else if (outcome === 'refused' || now() - failingSince >= PATIENCE_MS) all.dropped.push(notice);
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
  sending: Sending,
): Promise<'sent' | 'refused' | 'failed'> {
  const { attempt, workspace } = sending;
  const { channels, log } = sending.services;
  try {
    const channel = await patiently(() => channels.directMessage(workspace, user, 'notice'), attempt);
    await postOnce({ channel, content, due }, sending);
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
async function postOnce({ channel, content, due }: Post, { attempt, workspace, services }: Sending): Promise<void> {
  const { messenger, once, now } = services;
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

/** Problems with the channel itself. */
const NOT_FOR_CHANNEL = new Set(['not_in_channel', 'channel_shared', 'not_posted']);

/**
 * Tells the channel, and the reviewer if they can do something about it or the channel cannot be posted to. `before`: what
 * was said after the last run. Returns what is said now. What did not arrive is left out, so that the next run says it.
 */
export async function sayProblem(
  problem: ReviewNotDoneError,
  before: readonly string[],
  services: ScheduledServices,
): Promise<string[]> {
  const { code, words, cause } = problem;
  const { log, schedule, now, channelTimeZone, reviewer } = services;
  // If nobody can be reached, the log is the only place that has it.
  const isFault = cause !== undefined && !(cause instanceof UserError);
  log.error({ code, ...(isFault && { err: cause }) }, 'scheduled review not held');
  const said: string[] = [];

  /** False only if it failed now. */
  async function sayOnce(key: string, say: () => Promise<boolean>): Promise<boolean> {
    const isSaid = before.includes(key) || (await say());
    if (isSaid) said.push(key);
    return isSaid;
  }

  const tellReviewer = (one: ReviewNotDoneError) =>
    sayOnce(`reviewer:${one.code}`, () =>
      tryDm({ workspace: reviewer.team, user: reviewer.id }, buildDirect(one), services),
    );

  const look = NOT_FOR_CHANNEL.has(code) ? 'unknown' : await lookAtChannel(services);
  const content = buildProblem(problem, schedule.findNext(now()), channelTimeZone);
  const isPosted = look === 'open' && (await sayOnce(`channel:${code}`, () => post(content, services)));
  // If the problem is the channel itself, the reviewer hears of that as well.
  if (typeof look === 'object') await tellReviewer(look);
  if (words.direct !== undefined || !isPosted) await tellReviewer(problem);
  return said;
}

/** 'unknown': Slack could not be asked. Nothing is posted then: the channel may be shared by now. */
async function lookAtChannel(services: ScheduledServices): Promise<ReviewNotDoneError | 'open' | 'unknown'> {
  try {
    return (await findChannelProblem(services)) ?? 'open';
  } catch (error) {
    services.log.warn({ code: toCallCode(error) }, 'the channel of the scheduled review was not looked at');
    return 'unknown';
  }
}

async function post(content: Content, { messenger, channel, log }: ScheduledServices): Promise<boolean> {
  try {
    await messenger.post({ workspace: channel.team, channel: channel.id }, content, 'notice');
    return true;
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'nothing was posted to the channel of the scheduled review');
    // It may have arrived: do not post it twice.
    return error instanceof OutcomeUnknownError;
  }
}
