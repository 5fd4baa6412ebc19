// Tells people that a scheduled review could not be done.
import { randomUUID } from 'node:crypto';
import { UserError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Content } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { tryDm } from '../shell/respond.ts';
import { buildDirect, buildProblem, ReviewNotDoneError } from './problem-messages.ts';
import { findChannelProblem, type ScheduledReviewPorts } from './slack-delivery.ts';

/** Problems with the channel itself. */
const NOT_FOR_CHANNEL = new Set(['not_in_channel', 'channel_shared', 'not_posted']);

const DAY_MS = 24 * 60 * 60 * 1000;

/** Tells the channel, and the reviewer if they can do something about it; the same problem at most once a day (UTC). */
export async function tellProblem(
  problem: ReviewNotDoneError,
  { nextAt }: { nextAt: number | undefined },
  ports: ScheduledReviewPorts,
): Promise<void> {
  const { code, words, cause } = problem;
  // If nobody can be told, the log is the only place that has it.
  ports.log.error(
    { code, ...(cause !== undefined && !(cause instanceof UserError) && { err: cause }) },
    'scheduled review not done',
  );
  const look = NOT_FOR_CHANNEL.has(code) ? 'unknown' : await lookAtChannel(ports);
  const content = buildProblem(problem, nextAt, ports);
  const isTold = look === 'open' && (await onceADay(`channel:${code}`, () => tellChannel(content, ports), ports));
  // If the problem is the channel itself, the reviewer is told instead.
  if (look instanceof ReviewNotDoneError) await tellProblem(look, { nextAt }, ports);
  // What is meant for the channel goes to the reviewer if the channel cannot be told.
  if (words.direct === undefined && isTold) return;
  await onceADay(`reviewer:${code}`, () => tellReviewer(buildDirect(problem), ports), ports);
}

/** 'unknown': Slack could not be asked. Nothing is posted then: the channel may be shared by now. */
async function lookAtChannel(ports: ScheduledReviewPorts): Promise<'open' | 'unknown' | ReviewNotDoneError> {
  try {
    return (await findChannelProblem(ports)) ?? 'open';
  } catch (error) {
    ports.log.warn({ code: toCallCode(error) }, 'the channel of the scheduled review was not looked at');
    return 'unknown';
  }
}

/** `tell` returns whether it arrived; if not, the next run tries again. Returns false only if it failed now. */
async function onceADay(
  what: string,
  tell: () => Promise<boolean>,
  { reviews, now }: ScheduledReviewPorts,
): Promise<boolean> {
  const day = Math.floor(now() / DAY_MS);
  const key = `problem:${what}:${day}`;
  if (!(await reviews.claimNotice(key, (day + 1) * DAY_MS, randomUUID()))) return true;
  const isTold = await tell();
  if (!isTold) await reviews.releaseNotice(key);
  return isTold;
}

async function tellChannel(content: Content, { messenger, channel, log }: ScheduledReviewPorts) {
  try {
    await messenger.post({ workspace: channel.team, channel: channel.id }, content, 'notice');
    return true;
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'the channel of the scheduled review was not told');
    // It may have arrived: do not post it twice.
    return error instanceof OutcomeUnknownError;
  }
}

async function tellReviewer(content: Content, ports: ScheduledReviewPorts): Promise<boolean> {
  const { team: workspace, id: user } = ports.reviewer;
  return tryDm({ workspace, user }, content, ports);
}
