import { setTimeout as sleep } from 'node:timers/promises';
import { BridgeError, PermanentError, TransientError } from '../../errors.ts';
import { OutcomeUnknownError } from '../../http/http-errors.ts';
import { retry } from '../../retry.ts';
import { UnknownWorkspaceError } from '../installation.ts';
import { isReading } from './methods.ts';

/** Slack's codes while it moves a workspace into an organisation, which may take hours. It does nothing then. */
export const MOVING: ReadonlySet<string> = new Set(['team_added_to_org', 'org_login_required']);

/** Slack's codes for its own faults and for too many calls: the same call may succeed later. */
export const SLACK_FAULTS: ReadonlySet<string> = new Set([
  ...MOVING,
  'ratelimited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

/** Slack understood the call and refused it. `slackError` is Slack's code: https://docs.slack.dev/reference/methods */
export class SlackRefusedError extends PermanentError {
  readonly slackError: string;

  constructor(method: string, slackError: string) {
    super('slack_refused', `${method}: ${slackError}`);
    this.slackError = slackError;
  }
}

/** Nothing was done: Slack answered 429, or we did not call because the limits leave no room. */
export class SlackRateLimitedError extends TransientError {
  constructor(method: string, retryAfterMs: number) {
    // People may have to wait minutes for reading, and are told so.
    const code = isReading(method) ? 'slack_reading_limited' : 'slack_rate_limited';
    super(code, `${method} is rate limited`, { retryAfterMs });
  }
}

/** Slack cannot be reached, or a call failed that is safe to repeat. */
export class SlackUnavailableError extends TransientError {
  constructor(method: string, options?: ErrorOptions) {
    super('slack_unavailable', `${method} did not go through`, options);
  }
}

/** We cannot post there: we are not a member, it is archived or gone, or posting is restricted. */
export class CannotPostError extends PermanentError {
  constructor(slackError: string, options?: ErrorOptions) {
    super('cannot_post', `cannot post there: ${slackError}`, options);
  }
}

/** Slack refused the form of the message: it is too long, or has blocks that Slack does not accept. Nothing was posted. */
class RefusedFormError extends PermanentError {
  constructor(slackError: string, options?: ErrorOptions) {
    super('form_refused', `the message was refused as it is: ${slackError}`, options);
  }
}

/**
 * Slack's codes for problems with the app, not the message. All other codes, unknown ones included, are taken to be about
 * the form of the message: an answer is worth two more attempts.
 * https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
const NOT_ABOUT_FORM =
  /auth|token|scope|account_inactive|access|permission|login|org_|team_|ekm|deprecated|unknown_method/;

/** Turns an error of posting or changing a message into RefusedFormError if Slack refused its form. */
export function orRefusedForm(error: unknown): unknown {
  const isForm = error instanceof SlackRefusedError && !NOT_ABOUT_FORM.test(error.slackError);
  return isForm ? new RefusedFormError(error.slackError, { cause: error }) : error;
}

export function isSlackError(error: unknown, ...slackErrors: string[]): boolean {
  return error instanceof SlackRefusedError && slackErrors.includes(error.slackError);
}

/** Whether a message cannot be edited any more: https://docs.slack.dev/reference/methods/chat.update */
export function isUnchangeable(error: unknown): boolean {
  const gone = isSlackError(error, 'message_not_found', 'channel_not_found', 'is_inactive');
  return gone || isSlackError(error, 'cant_update_message', 'edit_window_closed');
}

/** For a call that is safe to repeat: a failure with an unknown outcome becomes SlackUnavailableError. */
export function toRepeatable(method: string, error: unknown): unknown {
  return error instanceof OutcomeUnknownError ? new SlackUnavailableError(method, { cause: error }) : error;
}

/** For a `catch` that only does that. */
export function asRepeatable(method: string): (error: unknown) => never {
  return (error) => {
    throw toRepeatable(method, error);
  };
}

/** For reading: every failure but the end of the installation may pass, so it becomes a TransientError. */
export function toUnavailable(method: string, error: unknown): unknown {
  const isKept = error instanceof TransientError || error instanceof UnknownWorkspaceError;
  return isKept ? error : new SlackUnavailableError(method, { cause: error });
}

/** Slack's code for why it refused; undefined if it did not answer, or had a fault of its own. */
export function readRefusal(error: unknown): string | undefined {
  return error instanceof SlackRefusedError ? error.slackError : undefined;
}

/** How a call failed, in one word for metrics: Slack's code if there is one. */
export function toCallCode(error: unknown): string {
  if (error instanceof SlackRefusedError) return error.slackError;
  return error instanceof BridgeError ? error.code : 'error';
}

/**
 * How to retry when Slack's limits are reached, or after an error of `kind`: how often, and the shortest and longest
 * wait between tries, in ms. If the wait would be longer, it gives up at once. `left`: the time that all who share it may
 * still wait. `canBeLeft`: the wait does not keep a stopping process alive.
 */
export type Patience = {
  attempts: number;
  leastMs: number;
  longestMs: number;
  left?: { ms: number };
  kind?: typeof TransientError;
  canBeLeft?: boolean;
};

/** Calls until it succeeds. Throws the last error when it gives up. */
export function patiently<T>(call: () => Promise<T>, patience: Patience): Promise<T> {
  const { attempts, leastMs, longestMs, left, kind = SlackRateLimitedError, canBeLeft = false } = patience;
  const toWaitMs = (error: unknown, failures: number) => {
    if (!(error instanceof kind) || failures >= attempts) return undefined;
    const waitMs = Math.max(error.retryAfterMs ?? 0, leastMs);
    if (waitMs > Math.min(longestMs, left?.ms ?? longestMs)) return undefined;
    if (left) left.ms -= waitMs;
    return waitMs;
  };
  return retry(call, toWaitMs, (ms) => sleep(ms, undefined, { ref: !canBeLeft }));
}
