// Errors of the assistant client. The class alone tells the caller what to do next.
import { PermanentError, TransientError, UserError } from '../errors.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { toLoggableId } from '../http/http-errors.ts';
import { isObject, type JsonObject } from './conversation-body.ts';

/** No connection, or creating a conversation failed: no question was asked. */
export class AssistantUnreachableError extends TransientError {
  readonly trace: ServiceTrace;

  constructor(
    message: string,
    trace: ServiceTrace = {},
    options?: ErrorOptions & { retryAfterMs?: number | undefined },
  ) {
    super('assistant_unreachable', message, options);
    this.trace = trace;
  }
}

/** 429, or 503 with Retry-After. Nothing was processed. `retryAfterMs` is not capped here. */
export class AssistantThrottledError extends TransientError {
  override readonly retryAfterMs: number;
  readonly trace: ServiceTrace;

  constructor(retryAfterMs: number, trace: ServiceTrace) {
    super('assistant_throttled', `the assistant service asks to wait ${retryAfterMs} ms`, { retryAfterMs });
    this.retryAfterMs = retryAfterMs;
    this.trace = trace;
  }
}

/** 409: another turn of this conversation is running. Nothing was processed. */
export class ConversationBusyError extends TransientError {
  readonly trace: ServiceTrace;

  constructor(trace: ServiceTrace) {
    super('conversation_busy', 'the conversation is busy with another turn');
    this.trace = trace;
  }
}

/**
 * 401: the access token was refused. `claims` is JSON for the `claims` parameter of a new authorization, where the
 * service demands more: https://learn.microsoft.com/entra/identity-platform/claims-challenge
 */
export class AssistantUnauthorizedError extends UserError {
  readonly claims: string | undefined;
  readonly trace: ServiceTrace;

  constructor(claims: string | undefined, trace: ServiceTrace) {
    super('assistant_unauthorized', 'the assistant service refused the access token');
    this.claims = claims;
    this.trace = trace;
  }
}

const REFUSALS = {
  // The account itself is refused, for instance because it was signed in outside its home tenant.
  assistant_account: 'the assistant service cannot act for the account that was signed in',
  // 413.
  question_too_long: 'the question is larger than the assistant service takes',
};

/** Refused; the code is the reason. */
export class AssistantRefusedError extends UserError {
  readonly trace: ServiceTrace;

  constructor(code: keyof typeof REFUSALS, trace: ServiceTrace) {
    super(code, REFUSALS[code]);
    this.trace = trace;
  }
}

export type ForbiddenReason = 'scopes' | 'licence' | 'other';

/** 403. `explanation` is the service's own text for the person, untrusted. */
export class AssistantForbiddenError extends PermanentError {
  readonly reason: ForbiddenReason;
  readonly explanation: string | undefined;
  readonly trace: ServiceTrace;

  constructor(reason: ForbiddenReason, explanation: string | undefined, trace: ServiceTrace) {
    super('assistant_forbidden', `the assistant service refused access: ${reason}`);
    this.reason = reason;
    this.explanation = explanation;
    this.trace = trace;
  }
}

/** The service no longer knows a conversation that was used before. The question was not processed. */
export class ConversationGoneError extends PermanentError {
  readonly trace: ServiceTrace;

  constructor(trace: ServiceTrace) {
    super('conversation_gone', 'the assistant service no longer knows the conversation');
    this.trace = trace;
  }
}

/** Refused: the same request would be refused again. */
export class AssistantRejectedError extends PermanentError {
  readonly trace: ServiceTrace;

  constructor(trace: ServiceTrace) {
    super('assistant_rejected', `the assistant service rejected the request with status ${trace.status}`);
    this.trace = trace;
  }
}

/** `ended`: the stream ended without an answer; `service_error`: the service reported an internal failure. */
export type UnknownReason = 'timeout' | 'reset' | 'too_large' | 'unreadable' | 'ended' | 'service_error';

/** The question may have been processed and may have counted. Never repeat it automatically. */
export class AssistantOutcomeUnknownError extends PermanentError {
  readonly reason: UnknownReason;
  readonly trace: ServiceTrace;

  constructor(reason: UnknownReason, trace: ServiceTrace = {}, options?: ErrorOptions) {
    super('assistant_outcome_unknown', `no readable answer from the assistant service: ${reason}`, options);
    this.reason = reason;
    this.trace = trace;
  }
}

/** The caller's signal ended it: the person pressed stop, or we are shutting down. The cause is the signal's reason. */
export class AssistantStoppedError extends PermanentError {
  constructor(options?: ErrorOptions) {
    super('assistant_stopped', 'the request to the assistant service was stopped by its caller', options);
  }
}

/** For logs only: ids with which an operator finds the request in the service's logs. No text of people. */
export type ServiceTrace = {
  status?: number | undefined;
  /** The service's own error code, as it sent it. */
  serviceCode?: string | undefined;
  requestId?: string | undefined;
  clientRequestId?: string | undefined;
};

/** `error` is the `error` object of the body, where there is one. */
export function readTrace(response: Pick<HttpResponse, 'status' | 'headers'>, error: JsonObject = {}): ServiceTrace {
  const inner = isObject(error.innerError) ? error.innerError : {};
  const readId = (name: string) => toLoggableId([response.headers[name]].flat()[0]) ?? toLoggableId(inner[name]);
  return {
    status: response.status,
    serviceCode: toLoggableId(error.code) ?? toLoggableId(inner.code),
    requestId: readId('request-id'),
    clientRequestId: readId('client-request-id'),
  };
}
