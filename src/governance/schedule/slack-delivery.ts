// Asks Slack, patiently, whether the scheduled review may post to its channel, and whether its reviewer may still read.
import type { AdminSession } from '../../admin-api/admin-session.ts';
import { TransientError } from '../../errors.ts';
import { AccountNotLinkedError } from '../../identity/identity-errors.ts';
import { retry } from '../../retry.ts';
import { UnknownWorkspaceError } from '../../slack/installation.ts';
import {
  isSlackError,
  SlackRateLimitedError,
  SlackRefusedError,
  SlackUnavailableError,
} from '../../slack/web/slack-errors.ts';
import type { GovernanceServices } from '../services.ts';
import { type Caller, isAdmin } from '../shell/admin-rules.ts';
import type { Attempt, Wait } from './lane-job.ts';
import { notDone, type ReviewNotDoneError } from './problem-messages.ts';
import type { ReviewSchedule } from './schedule-state.ts';

/** A channel or a person. `team`: the installation's own id; the organisation's if that has the app as a whole. */
type Place = { team: string; id: string };

/** The services with the configuration of the scheduled review. */
export type ScheduledServices = GovernanceServices & {
  schedule: ReviewSchedule;
  /** REVIEW_CHANNEL. */
  channel: Place;
  /** REVIEW_AS. */
  reviewer: Place;
  /** The IANA time zone of the channel. */
  channelTimeZone: string;
  /** REVIEW_LEVELS: percent, highest first. */
  levels: readonly number[];
  /** For tests. Default: really waits. */
  wait?: Wait;
};

/** The longest wait, and the wait after an error that names none. */
const MAX_WAIT_MS = 60_000;
const DEFAULT_WAIT_MS = 2_000;

/** Attempts of a call that Slack does not answer. Rate limits do not count: the whole attempt has a time limit. */
const ATTEMPTS = 3;

/** Calls again after a transient error. Nobody waits for a scheduled review, so rate limits only delay it. */
export function patiently<T>(call: () => Promise<T>, { signal, wait }: Pick<Attempt, 'signal' | 'wait'>): Promise<T> {
  let unanswered = 0;
  const callUnlessStopped = async () => {
    signal.throwIfAborted();
    return call();
  };
  const toWaitMs = (error: unknown) => {
    // Slack refuses the same call again, even where a cache in between reports it as transient.
    if (!(error instanceof TransientError) || error.cause instanceof SlackRefusedError) return undefined;
    if (!(error instanceof SlackRateLimitedError)) unanswered += 1;
    return unanswered < ATTEMPTS ? Math.min(error.retryAfterMs ?? DEFAULT_WAIT_MS, MAX_WAIT_MS) : undefined;
  };
  return retry(callUnlessStopped, toWaitMs, wait);
}

type ChannelServices = Pick<ScheduledServices, 'channel' | 'channels'>;

/** Throws ReviewNotDoneError if the app may not post there, and a TransientError if Slack cannot be asked. */
export async function requireChannel(attempt: Attempt, services: ChannelServices): Promise<void> {
  const problem = await patiently(() => findChannelProblem(services), attempt);
  if (problem) throw problem;
}

/** The same as a result, asked once. */
export async function findChannelProblem({
  channel: { team, id },
  channels,
}: ChannelServices): Promise<ReviewNotDoneError | undefined> {
  const { isShared, isMember } = await channels.look(team, id, 'notice');
  if (isShared) return notDone('channel_shared', [id]);
  return isMember ? undefined : notDone('not_in_channel', [id]);
}

/** Whether they still are a member of the workspace. */
export async function isMember(
  { workspace, user }: { workspace: string; user: string },
  attempt: Attempt,
  { people }: Pick<ScheduledServices, 'people'>,
): Promise<boolean> {
  try {
    return (await patiently(() => people.profile(workspace, user, { importance: 'notice' }), attempt)).isMember;
  } catch (error) {
    if (error instanceof SlackUnavailableError && isSlackError(error.cause, 'user_not_found')) return false;
    throw error;
  }
}

/** The app is not installed there any more. */
export function isNotInstalled(error: unknown): error is UnknownWorkspaceError {
  return error instanceof UnknownWorkspaceError;
}

/**
 * The administrative interface in the name of REVIEW_AS, who still has to be a member and an admin. Throws
 * ReviewNotDoneError if they are not, or have to sign in.
 */
export async function openReviewerSession(
  attempt: Attempt,
  services: ScheduledServices,
): Promise<{ caller: Caller; session: AdminSession }> {
  const { reviewer, rules, lookups } = services;
  const { id: user } = reviewer;
  try {
    // The installation of the reviewer's own team, perhaps not the channel's. If the app is gone there, so is their sign-in.
    const { team, workspace } = await services.findInstallation(reviewer.team);
    const caller = { team, workspace, user, ...(reviewer.team !== workspace && { homeTeam: reviewer.team }) };
    const isStill =
      (await isMember({ workspace, user }, attempt, services)) &&
      (await patiently(() => isAdmin(caller, rules, lookups), attempt));
    if (!isStill) throw notDone('not_admin', [user]);
    return { caller, session: await services.openSession({ team, user }) };
  } catch (error) {
    const isSignedOut = isNotInstalled(error) || error instanceof AccountNotLinkedError;
    throw isSignedOut ? notDone('not_signed_in', [user], { cause: error }) : error;
  }
}
