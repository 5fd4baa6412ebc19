import { setTimeout as sleep } from 'node:timers/promises';
import { PermanentError, TransientError } from '../../errors.ts';
import type { ExpiringStore } from '../../identity/account-link.ts';
import type { Directory } from '../../identity/directory.ts';
import { retry } from '../../retry.ts';
import type { Channels } from '../../slack/channels.ts';
import type { Messenger } from '../../slack/messenger.ts';
import type { People } from '../../slack/people.ts';
import type { CallSlack } from '../../slack/web/methods.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../../slack/web/slack-errors.ts';
import type { ChangeStore } from '../changes/change.ts';
import type { ApprovedSources } from '../review/approved-state.ts';
import type { ReviewStore } from '../review/review-diff.ts';
import type { AdmitPorts } from '../shell/access.ts';
import type { FailurePorts } from '../shell/failure-message.ts';
import type { ReviewSchedule } from './review-schedule.ts';

/** A channel or a person. `team`: the installation's own id, which is the organisation's where it has the app as a whole. */
type Place = { team: string; id: string };

/** What the scheduled review may do. */
export type ScheduledReviewPorts = ApprovedSources &
  FailurePorts &
  Pick<AdmitPorts, 'rules' | 'lookups' | 'openSession' | 'findInstallation'> & {
    changes: Pick<ChangeStore, 'lastSet'>;
    /** The credit currency that agents use. */
    currency: string;
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
    /** What outlives a run: see review-records.ts. */
    once: ExpiringStore;
    /** setTimeout unless a test has no time. */
    wait?: Wait;
  };

/** One attempt at a run. */
export type Attempt = {
  /** Says stop where the process stops, and where it takes too long. */
  signal: AbortSignal;
  /** Rejects where the signal says stop. */
  wait(ms: number): Promise<void>;
  /** Whether the lane is still this replica's: once it is not, another one may be at the same. */
  isHeld(): boolean;
};

/** Waits so many ms; rejects where the signal says stop. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Thousands of environments take a few minutes, a service that never answers would take hours. */
const MAX_ATTEMPT_MS = 60 * 60_000;

/** `stopping`: where the process stops. */
export async function attemptOnce<T>(
  run: (attempt: Attempt) => Promise<T>,
  { isHeld, stopping, wait = pause }: { isHeld: () => boolean; stopping: AbortSignal; wait?: Wait | undefined },
): Promise<T> {
  // Not AbortSignal.any() of a timeout: nothing but that signal holds the timeout, and what nobody holds is collected.
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, MAX_ATTEMPT_MS).unref();
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  const { signal } = controller;
  try {
    return await run({ isHeld, signal, wait: (ms) => wait(ms, signal) });
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}

/** Of one wait, and where Slack names none. */
const MAX_WAIT_MS = 60_000;
const DEFAULT_WAIT_MS = 2_000;

/** Of a call that Slack did not answer; where it asks to wait, it is waited for as long as the signal lets us. */
const ATTEMPTS = 3;

/** Nobody waits for a scheduled review: a call that Slack has no room for now is made when it has. */
export function patiently<T>(call: () => Promise<T>, { signal, wait }: Pick<Attempt, 'signal' | 'wait'>): Promise<T> {
  let unanswered = 0;
  const callUnlessStopped = async () => {
    signal.throwIfAborted();
    return call();
  };
  const toWaitMs = (error: unknown) => {
    // What Slack refused it refuses again, also where whoever asked calls that transient.
    if (!(error instanceof TransientError) || error.cause instanceof SlackRefusedError) return undefined;
    if (!(error instanceof SlackRateLimitedError)) unanswered += 1;
    return unanswered < ATTEMPTS ? Math.min(error.retryAfterMs ?? DEFAULT_WAIT_MS, MAX_WAIT_MS) : undefined;
  };
  return retry(callUnlessStopped, toWaitMs, wait);
}

/** Another replica has the lane: it says what is to be said. */
export class LaneLostError extends PermanentError {
  constructor() {
    super('lane_lost', 'the lane of the scheduled review is not ours any more');
  }
}

type Stores = Pick<ScheduledReviewPorts, 'reviews' | 'once'>;

/**
 * The same stores, which are not written any more once the lane is lost: what a replica that stood still would write is
 * older than what is there. Every write may throw LaneLostError.
 */
export function writeWhileHeld({ reviews, once }: Stores, isHeld: () => boolean): Stores {
  const whileHeld =
    <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (!isHeld()) throw new LaneLostError();
      return write(...args);
    };
  return {
    reviews: {
      lastSnapshot: reviews.lastSnapshot,
      saveSnapshot: whileHeld(reviews.saveSnapshot),
      claimNotice: whileHeld(reviews.claimNotice),
      releaseNotice: whileHeld(reviews.releaseNotice),
    },
    once: { peek: once.peek, put: whileHeld(once.put), take: whileHeld(once.take) },
  };
}
