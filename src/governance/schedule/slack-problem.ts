// Says that a scheduled review could not be held: once, until it changes.
import { UserError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import type { Content } from '../../slack/views/content.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { tryDm } from '../shell/respond.ts';
import { buildDirect, buildProblem, ReviewNotDoneError } from './problem-messages.ts';
import { createScheduleRecords } from './schedule-records.ts';
import { findChannelProblem, type ScheduledServices } from './slack-delivery.ts';

/** Problems with the channel itself. */
const NOT_FOR_CHANNEL = new Set(['not_in_channel', 'channel_shared', 'not_posted']);

/** To the channel, and to the reviewer if they can do something about it, or if the channel cannot be posted to. */
export async function sayProblem(
  problem: ReviewNotDoneError,
  { nextAt }: { nextAt: number | undefined },
  services: ScheduledServices,
): Promise<void> {
  const { code, words, cause } = problem;
  const records = createScheduleRecords(services);
  // If nobody can be reached, the log is the only place that has it.
  services.log.error(
    { code, ...(cause !== undefined && !(cause instanceof UserError) && { err: cause }) },
    'scheduled review not held',
  );
  const look = NOT_FOR_CHANNEL.has(code) ? 'unknown' : await lookAtChannel(services);
  const said = createSaid((await records.state())?.said ?? []);
  const post = () => postProblem(buildProblem(problem, nextAt, services.channelTimeZone), services);
  const isPosted = look === 'open' && (await said.once(`channel:${code}`, post));
  // If the problem is the channel itself, the reviewer hears of that as well.
  if (look instanceof ReviewNotDoneError) {
    await said.once(`reviewer:${look.code}`, () => write(buildDirect(look), services));
  }
  if (words.direct !== undefined || !isPosted) {
    await said.once(`reviewer:${code}`, () => write(buildDirect(problem), services));
  }
  await records.changeState(() => ({ said: said.list() }));
}

/** `before`: what the last run said, or found said. `say` returns whether it arrived; if not, the next run tries again. */
function createSaid(before: readonly string[]) {
  const now: string[] = [];
  return {
    /** False only if it failed now. */
    async once(key: string, say: () => Promise<boolean>): Promise<boolean> {
      const isSaid = before.includes(key) || (await say());
      if (isSaid) now.push(key);
      return isSaid;
    },
    list: () => now,
  };
}

/** 'unknown': Slack could not be asked. Nothing is posted then: the channel may be shared by now. */
async function lookAtChannel(services: ScheduledServices): Promise<'open' | 'unknown' | ReviewNotDoneError> {
  try {
    return (await findChannelProblem(services)) ?? 'open';
  } catch (error) {
    services.log.warn({ code: toCallCode(error) }, 'the channel of the scheduled review was not looked at');
    return 'unknown';
  }
}

async function postProblem(content: Content, { messenger, channel, log }: ScheduledServices): Promise<boolean> {
  try {
    await messenger.post({ workspace: channel.team, channel: channel.id }, content, 'notice');
    return true;
  } catch (error) {
    log.warn({ code: toCallCode(error) }, 'nothing was posted to the channel of the scheduled review');
    // It may have arrived: do not post it twice.
    return error instanceof OutcomeUnknownError;
  }
}

function write(content: Content, services: ScheduledServices): Promise<boolean> {
  const { team: workspace, id: user } = services.reviewer;
  return tryDm({ workspace, user }, content, services);
}
