import { BridgeError, PermanentError, TransientError } from '../../errors.ts';

/** Slack's words for a fault of its own or for too many calls, after which the same call may go through. */
export const SLACK_FAULTS: ReadonlySet<string> = new Set([
  'ratelimited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

/** Slack understood the call and refused it. `slackError` is Slack's own word: https://docs.slack.dev/reference/methods */
export class SlackRefusedError extends PermanentError {
  readonly slackError: string;

  constructor(method: string, slackError: string) {
    super('slack_refused', `${method}: ${slackError}`);
    this.slackError = slackError;
  }
}

/** Nothing was done: Slack said 429 and how long to wait, or we did not call because its limits leave no room. */
export class SlackRateLimitedError extends TransientError {
  constructor(method: string, retryAfterMs: number) {
    // Reading is what people may have to wait for by the minute, and are told of.
    const isReading = method === 'conversations.history' || method === 'conversations.replies';
    super(isReading ? 'slack_reading_limited' : 'slack_rate_limited', `${method} is rate limited`, { retryAfterMs });
  }
}

/** Slack is not reachable, or a harmless call of ours failed: the same may be tried again. */
export class SlackUnavailableError extends TransientError {
  constructor(method: string, options?: ErrorOptions) {
    super('slack_unavailable', `${method} did not go through`, options);
  }
}

/** This place takes no message of ours: we are not a member, it is archived or gone, or posting is restricted. */
export class CannotPostError extends PermanentError {
  constructor(slackError: string, options?: ErrorOptions) {
    super('cannot_post', `cannot post there: ${slackError}`, options);
  }
}

/** Slack does not take the message as it is made: it is too long, or has blocks that Slack refuses. Nothing was posted. */
class RefusedFormError extends PermanentError {
  constructor(slackError: string, options?: ErrorOptions) {
    super('form_refused', `the message was refused as it is: ${slackError}`, options);
  }
}

/**
 * Slack's words for what is wrong with us, and not with the message. All others that are not about the place are taken
 * for its form, also those that nobody has heard of yet: an answer is worth two more attempts.
 * https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
const NOT_ABOUT_FORM =
  /auth|token|scope|account_inactive|access|permission|login|org_|team_|ekm|deprecated|unknown_method/;

/** An error of posting or changing a message, told apart from other refusals where its form is what was refused. */
export function orRefusedForm(error: unknown): unknown {
  const isForm = error instanceof SlackRefusedError && !NOT_ABOUT_FORM.test(error.slackError);
  return isForm ? new RefusedFormError(error.slackError, { cause: error }) : error;
}

export function isSlackError(error: unknown, ...slackErrors: string[]): boolean {
  return error instanceof SlackRefusedError && slackErrors.includes(error.slackError);
}

/** Slack's own word for why it refused; undefined where it did not answer, or has a fault of its own. */
export function readRefusal(error: unknown): string | undefined {
  return error instanceof SlackRefusedError ? error.slackError : undefined;
}

/** How a call ended, in one word for counting: Slack's own where it has one. */
export function toCallCode(error: unknown): string {
  if (error instanceof SlackRefusedError) return error.slackError;
  return error instanceof BridgeError ? error.code : 'error';
}
