// Says that a scheduled review could not be held: once, until it changes.
import { UserError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Content } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { tryDm } from '../shell/respond.ts';
import { buildDirect, buildProblem, type ReviewNotDoneError } from './problem-messages.ts';
import { findChannelProblem, type ScheduledServices } from './slack-delivery.ts';

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
