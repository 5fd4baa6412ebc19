import { randomUUID } from 'node:crypto';
import { UserError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import { buildSection, type Content, formatTime } from '../../slack/views/content.ts';
import { buildSignInPrompt } from '../../slack/views/sign-in.ts';
import { toCallCode } from '../../slack/web/slack-errors.ts';
import { buildNotes } from '../shell/blocks.ts';
import { buildAdminText } from '../shell/failure-message.ts';
import { tryDm } from '../shell/respond.ts';
import type { ScheduledReviewPorts } from './review-attempt.ts';
import { findChannelProblem, ReviewNotDoneError } from './review-problem.ts';

/** Where the channel itself is what is wrong. */
const NOT_FOR_CHANNEL = new Set(['not_in_channel', 'channel_shared', 'not_posted']);

const DAY_MS = 24 * 60 * 60 * 1000;

/** Tells the channel, and the reviewer where they can do something about it; the same at most once a day (UTC). */
export async function tellProblem(
  problem: ReviewNotDoneError,
  { nextAt }: { nextAt: number | undefined },
  ports: ScheduledReviewPorts,
): Promise<void> {
  const { code, words, cause } = problem;
  // Where nobody else is told either, the log is the last place.
  ports.log.error(
    { code, ...(cause !== undefined && !(cause instanceof UserError) && { err: cause }) },
    'scheduled review not done',
  );
  const look = NOT_FOR_CHANNEL.has(code) ? 'unknown' : await lookAtChannel(ports);
  const content = buildProblem(problem, nextAt, ports);
  const isTold = look === 'open' && (await onceADay(`channel:${code}`, () => tellChannel(content, ports), ports));
  // Why the channel does not read it: of that, the channel itself is what is wrong.
  if (look instanceof ReviewNotDoneError) await tellProblem(look, { nextAt }, ports);
  // What is told the channel alone is told the reviewer where that cannot be.
  if (words.direct === undefined && isTold) return;
  await onceADay(`reviewer:${code}`, () => tellReviewer(buildDirect(problem, ports), ports), ports);
}

/** Where Slack cannot be asked, nothing is said there: it may be shared with others by now. */
async function lookAtChannel(ports: ScheduledReviewPorts): Promise<'open' | 'unknown' | ReviewNotDoneError> {
  try {
    return (await findChannelProblem(ports)) ?? 'open';
  } catch (error) {
    ports.log.warn({ code: toCallCode(error) }, 'the channel of the scheduled review was not looked at');
    return 'unknown';
  }
}

/** `tell` says whether it arrived; where not, the next run may try. False: it was tried now, and did not. */
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
    // What may have arrived is not said again.
    return error instanceof OutcomeUnknownError;
  }
}

async function tellReviewer(content: Content, ports: ScheduledReviewPorts): Promise<boolean> {
  const { team: workspace, id: user } = ports.reviewer;
  return tryDm({ workspace, user }, content, ports);
}

function buildDirect({ words }: ReviewNotDoneError, ports: ScheduledReviewPorts): Content {
  const text = words.direct ?? `The scheduled review could not be done. ${words.text}`;
  return words.helpsSignIn ? buildSignIn(text, ports) : buildAdminText(text);
}

function buildSignIn(text: string, { signInVariant }: ScheduledReviewPorts): Content {
  const buttons = buildSignInPrompt('admin', signInVariant).blocks.filter(({ type }) => type === 'actions');
  const note = 'This is apart from your sign-in for questions. The next review is held at its usual time.';
  return { text, blocks: [buildSection(text), ...buttons, buildNotes([note])] };
}

function buildProblem(
  { words }: ReviewNotDoneError,
  nextAt: number | undefined,
  { timeZone }: ScheduledReviewPorts,
): Content {
  const title = ':warning: *The scheduled review could not be done.* Nothing was compared.';
  const next = nextAt === undefined ? [] : [buildNotes([`The next one is on ${formatTime(nextAt, timeZone)}.`])];
  return { text: title, blocks: [buildSection(title), buildSection(words.text), ...next] };
}
