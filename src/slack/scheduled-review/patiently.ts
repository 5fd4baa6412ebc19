import { TransientError } from '../../errors.ts';
import { retry } from '../../retry.ts';
import { SlackRateLimitedError, SlackRefusedError } from '../web/slack-errors.ts';
import type { Attempt } from './attempt.ts';

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
