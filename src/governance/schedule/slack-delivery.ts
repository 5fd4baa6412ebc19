// What the scheduled review asks of Slack, patiently: may it post to its channel, and which people are owners.
import { TransientError } from '../../errors.ts';
import { retry } from '../../retry.ts';
import { type Installation, UnknownWorkspaceError } from '../../slack/installation.ts';
import {
  isSlackError,
  SlackRateLimitedError,
  SlackRefusedError,
  SlackUnavailableError,
} from '../../slack/web/slack-errors.ts';
import type { GovernanceServices } from '../services.ts';
import { notInChannel, type ReviewNotDoneError, sharedChannel } from './problem-messages.ts';
import type { Attempt, Wait } from './review-attempt.ts';
import type { ReviewSchedule } from './review-schedule.ts';

/** A channel or a person. `team`: the installation's own id; the organisation's if that has the app as a whole. */
type Place = { team: string; id: string };

/** What is configured of it. */
export type ScheduledServices = GovernanceServices & {
  schedule: ReviewSchedule;
  /** REVIEW_CHANNEL. */
  channel: Place;
  /** REVIEW_AS. */
  reviewer: Place;
  /** Of the channel: IANA. */
  channelTimeZone: string;
  /** REVIEW_LEVELS: percent, highest first. */
  levels: readonly number[];
  /** setTimeout unless a test has no time. */
  wait?: Wait;
};

/** Of one wait; the default is for errors that name none. */
const MAX_WAIT_MS = 60_000;
const DEFAULT_WAIT_MS = 2_000;

/** Of a call that Slack did not answer. Rate limits are waited out for as long as the attempt may take. */
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
  channel,
  channels,
}: ChannelServices): Promise<ReviewNotDoneError | undefined> {
  const { isShared, isMember } = await channels.look(channel.team, channel.id, 'notice');
  if (isShared) return sharedChannel(channel.id);
  return isMember ? undefined : notInChannel(channel.id);
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

/** Finds the Slack user of an owner: a member of the workspace, to whom alone something is said. Undefined: nobody. */
export type FindOwner = (owner: string) => Promise<string | undefined>;

/** `owner`: a Slack user id, an e-mail address or an id in the directory. Each is looked up once. */
export function createFindOwner(
  { workspace, team, botToken }: Installation,
  attempt: Attempt,
  { call, people, directory, log }: Pick<ScheduledServices, 'call' | 'people' | 'directory' | 'log'>,
): FindOwner {
  const known = new Map<string, Promise<string | undefined>>();
  let isScopeMissing = false;

  async function findUser(owner: string): Promise<string | undefined> {
    if (/^[UW][A-Z0-9]{2,}$/.test(owner)) return owner;
    if (!owner.includes('@')) return (await directory.find(team, owner))?.user;
    // The scope is missing for everybody.
    if (isScopeMissing) return undefined;
    const look = () => call('users.lookupByEmail', botToken, { email: owner }, 'notice');
    return (await patiently(look, attempt)).user?.id;
  }

  async function find(owner: string): Promise<string | undefined> {
    try {
      const user = await findUser(owner);
      return user !== undefined && (await isMember({ workspace, user }, attempt, { people })) ? user : undefined;
    } catch (error) {
      attempt.signal.throwIfAborted();
      if (!(error instanceof SlackRefusedError || error instanceof TransientError)) throw error;
      isScopeMissing ||= isSlackError(error, 'missing_scope');
      log.warn({ err: error }, 'an owner is not found');
      return undefined;
    }
  }

  return (owner) => {
    const key = owner.toLowerCase();
    const finding = known.get(key) ?? find(owner);
    known.set(key, finding);
    return finding;
  };
}
