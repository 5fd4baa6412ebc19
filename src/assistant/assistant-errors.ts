// Errors of the assistant client. The class alone tells the caller what to do next.
import { PermanentError, type Trace, TransientError, UserError } from '../errors.ts';

/** No connection, or creating a conversation failed: no question was asked. */
export class AssistantUnreachableError extends TransientError {
  constructor(message: string, trace?: Trace, options?: ErrorOptions & { retryAfterMs?: number | undefined }) {
    super('assistant_unreachable', message, { ...options, trace });
  }
}

/** 429, or 503 with Retry-After. Nothing was processed. `retryAfterMs` is not capped here. */
export class AssistantThrottledError extends TransientError {
  override readonly retryAfterMs: number;

  constructor(retryAfterMs: number, trace: Trace) {
    super('assistant_throttled', `the assistant service asks to wait ${retryAfterMs} ms`, { retryAfterMs, trace });
    this.retryAfterMs = retryAfterMs;
  }
}

/** 409: another turn of this conversation is running. Nothing was processed. */
export class ConversationBusyError extends TransientError {
  constructor(trace: Trace) {
    super('conversation_busy', 'the conversation is busy with another turn', { trace });
  }
}

/** 401: the access token was refused. */
export class AssistantUnauthorizedError extends UserError {
  constructor(trace: Trace) {
    super('assistant_unauthorized', 'the assistant service refused the access token', { trace });
  }
}

const REFUSALS = {
  // The account itself is refused, for instance because it was signed in outside its home tenant.
  assistant_account: 'the assistant service cannot act for the account that was signed in',
  // 413.
  question_too_long: 'the question is larger than the assistant service takes',
};

/** The service refused; the code is the reason. */
export class AssistantRefusedError extends UserError {
  constructor(code: keyof typeof REFUSALS, trace: Trace) {
    super(code, REFUSALS[code], { trace });
  }
}

/** What is missing or blocks access, if the service says so. */
export type ForbiddenReason = 'consent' | 'licence' | 'credits' | 'policy' | 'other';

/** 402 and 403. `explanation` is the service's own text for the person, untrusted. */
export class AssistantForbiddenError extends PermanentError {
  readonly reason: ForbiddenReason;
  readonly explanation: string | undefined;

  constructor(reason: ForbiddenReason, explanation: string | undefined, trace: Trace) {
    super('assistant_forbidden', `the assistant service refused access: ${reason}`, { trace });
    this.reason = reason;
    this.explanation = explanation;
  }
}

/** The service no longer knows a conversation that was used before. The question was not processed. */
export class ConversationGoneError extends PermanentError {
  constructor(trace: Trace) {
    super('conversation_gone', 'the assistant service no longer knows the conversation', { trace });
  }
}

/** The service rejected the request, and would do so again. `isOurs`: whatever the question; the address is wrong, say. */
export class AssistantRejectedError extends PermanentError {
  constructor(trace: Trace, isOurs = false) {
    const code = isOurs ? 'assistant_misconfigured' : 'assistant_rejected';
    super(code, `the assistant service rejected the request with status ${trace.status}`, { trace });
  }
}

/** `ended`: the stream ended without an answer; `service_error`: the service reported an internal failure. */
export type UnknownReason = 'timeout' | 'reset' | 'too_large' | 'unreadable' | 'ended' | 'service_error';

/** The question may have been processed and may have counted. Never repeat it automatically. */
export class AssistantOutcomeUnknownError extends PermanentError {
  readonly reason: UnknownReason;

  constructor(reason: UnknownReason, trace?: Trace, options?: ErrorOptions) {
    super('assistant_outcome_unknown', `no readable answer from the assistant service: ${reason}`, {
      ...options,
      trace,
    });
    this.reason = reason;
  }
}

/** The caller's signal aborted the request: a stop by the person, or a shutdown. The cause is the signal's reason. */
export class AssistantStoppedError extends PermanentError {
  constructor(options?: ErrorOptions) {
    super('assistant_stopped', 'the request to the assistant service was stopped by its caller', options);
  }
}
