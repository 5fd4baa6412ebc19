// What the scheduled review asks of Slack, patiently: may it post to its channel, and which people are reached by it.
import { TransientError } from '../../errors.ts';
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { Directory } from '../../identity/directory.ts';
import { retry } from '../../retry.ts';
import type { Channels } from '../../slack/channels.ts';
import { type Installation, UnknownWorkspaceError } from '../../slack/installation.ts';
import type { Messenger } from '../../slack/messenger.ts';
import type { People } from '../../slack/people.ts';
import type { CallSlack } from '../../slack/web/methods.ts';
import {
  isSlackError,
  SlackRateLimitedError,
  SlackRefusedError,
  SlackUnavailableError,
} from '../../slack/web/slack-errors.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { ApprovedSources } from '../review/approved-state.ts';
import type { Reports } from '../review/report.ts';
import type { ReviewStore } from '../review/review-store.ts';
import type { AdmitPorts } from '../shell/access.ts';
import type { FailurePorts } from '../shell/failure-message.ts';
import type { OwnerFinder, Reached } from './address-owners.ts';
import { notInChannel, type ReviewNotDoneError, sharedChannel } from './problem-messages.ts';
import type { Attempt, Wait } from './review-attempt.ts';
import type { ReviewSchedule } from './review-schedule.ts';
import type { Unreachable } from './untold.ts';

/** A channel or a person. `team`: the installation's own id; the organisation's if that has the app as a whole. */
type Place = { team: string; id: string };

/** What the scheduled review may do. */
export type ScheduledReviewPorts = ApprovedSources &
  FailurePorts &
  Pick<AdmitPorts, 'rules' | 'lookups' | 'openSession' | 'findInstallation'> & {
    changes: Pick<ChangeStore, 'lastSet'>;
    /** The credit currency that agents use. */
    currency: string;
    /** See JudgeOptions. */
    limitStaleMs: number;
    call: CallSlack;
    messenger: Messenger;
    now: () => number;
    schedule: ReviewSchedule;
    /** REVIEW_CHANNEL. */
    channel: Place;
    /** REVIEW_AS. */
    reviewer: Place;
    /** Of the channel: IANA. */
    timeZone: string;
    people: Pick<People, 'profile'>;
    channels: Pick<Channels, 'look' | 'directMessage'>;
    directory: Pick<Directory, 'find'>;
    reviews: ReviewStore;
    reports: Pick<Reports, 'keep'>;
    /** REVIEW_LEVELS: percent, highest first. */
    levels: readonly number[];
    /** What outlives a run: see review-outbox.ts. */
    once: ExpiringStore;
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

type ChannelPorts = Pick<ScheduledReviewPorts, 'channel' | 'channels'>;

/**
 * Throws ReviewNotDoneError if the channel is shared with other organisations, or the app is not in it; a TransientError
 * if Slack cannot be asked.
 */
export async function requireChannel(attempt: Attempt, ports: ChannelPorts): Promise<void> {
  const problem = await patiently(() => findChannelProblem(ports), attempt);
  if (problem) throw problem;
}

/** The same as a result, asked once. */
export async function findChannelProblem({ channel, channels }: ChannelPorts): Promise<ReviewNotDoneError | undefined> {
  const { isShared, isMember } = await channels.look(channel.team, channel.id, 'notice');
  if (isShared) return sharedChannel(channel.id);
  return isMember ? undefined : notInChannel(channel.id);
}

/** Whether they still are a member of the workspace. */
export async function isMember(
  { workspace, user }: { workspace: string; user: string },
  attempt: Attempt,
  { people }: Pick<ScheduledReviewPorts, 'people'>,
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

type FinderPorts = Pick<ScheduledReviewPorts, 'call' | 'people' | 'directory' | 'log'>;

/** Finds members of the workspace only: guests and people of other companies are told nothing. */
export function createOwnerFinder(installation: Installation, attempt: Attempt, ports: FinderPorts): OwnerFinder {
  const { workspace, team, botToken } = installation;
  const { call, people, directory, log } = ports;
  const known = new Map<string, Promise<Reached | Unreachable>>();
  let isScopeMissing = false;

  type Named = { user: string } | Unreachable;

  async function findByAddress(email: string): Promise<Named> {
    // The scope is missing for everybody.
    if (isScopeMissing) return 'lacks_scope';
    try {
      const { user } = await patiently(() => call('users.lookupByEmail', botToken, { email }, 'notice'), attempt);
      return user?.id === undefined ? 'unknown' : { user: user.id };
    } catch (error) {
      isScopeMissing ||= isSlackError(error, 'missing_scope');
      throw error;
    }
  }

  async function findUser(owner: string): Promise<Named> {
    if (/^[UW][A-Z0-9]{2,}$/.test(owner)) return { user: owner };
    if (owner.includes('@')) return findByAddress(owner);
    return (await directory.find(team, owner)) ?? 'not_signed_in';
  }

  async function reach(owner: string): Promise<Reached | Unreachable> {
    try {
      const named = await findUser(owner);
      if (typeof named === 'string') return named;
      const { user } = named;
      const look = () => people.profile(workspace, user, { importance: 'notice' });
      const { isMember, timeZone } = await patiently(look, attempt);
      return isMember ? { user, timeZone } : 'no_member';
    } catch (error) {
      attempt.signal.throwIfAborted();
      // Whatever the reason, the channel is told whose owners were not reached.
      if (!(error instanceof SlackRefusedError || error instanceof TransientError)) throw error;
      const why = toUnreachable(error);
      if (why === 'slack_failed') log.warn({ err: error }, 'an owner is not reached');
      return why;
    }
  }

  return {
    find(owner) {
      const key = owner.toLowerCase();
      const reaching = known.get(key) ?? reach(owner);
      known.set(key, reaching);
      return reaching;
    },
    lacksAddresses: () => isScopeMissing,
  };
}

function toUnreachable(error: TransientError | SlackRefusedError): Unreachable {
  if (isSlackError(error, 'missing_scope')) return 'lacks_scope';
  const isUnknown = [error, error.cause].some((one) => isSlackError(one, 'users_not_found', 'user_not_found'));
  return isUnknown ? 'unknown' : 'slack_failed';
}
