import { PermanentError, TransientError, UserError } from '../errors.ts';

/** 401: the admin's authorization has ended, or is not for this interface. Nothing was processed. */
export class AdminUnauthorizedError extends UserError {
  constructor(operation: string) {
    super('admin_unauthorized', `the administrative interface refused the token: ${operation}`);
  }
}

/** 403: the account signed in with may not do this. Nothing was processed. */
export class AdminForbiddenError extends UserError {
  constructor(operation: string) {
    super('admin_forbidden', `the administrative interface forbids: ${operation}`);
  }
}

/** 404, 405, 501: no such thing there, or the operation is not offered. Nothing was processed. */
export class AdminNotFoundError extends UserError {
  constructor(operation: string) {
    super('admin_not_found', `the administrative interface does not know: ${operation}`);
  }
}

/** 400 and its kin: the service read the request and refused it. Nothing was processed. */
export class AdminRejectedError extends UserError {
  /** The service's own words, at most 200 characters, on one line. Untrusted. */
  readonly explanation: string | undefined;

  constructor(operation: string, explanation: string | undefined) {
    super('admin_rejected', `the administrative interface rejected: ${operation}`);
    this.explanation = explanation;
  }
}

/** 429. Nothing was processed; `retryAfterMs` where the service named a wait. */
export class AdminThrottledError extends TransientError {
  constructor(operation: string, retryAfterMs: number | undefined) {
    super('admin_throttled', `the administrative interface throttles: ${operation}`, { retryAfterMs });
  }
}

/** Not sent; or a read that got no answer, which is as harmless to repeat. */
export class AdminUnreachableError extends TransientError {
  /** Undefined where no status came at all. */
  readonly status: number | undefined;

  constructor(operation: string, options?: ErrorOptions & { status?: number; retryAfterMs?: number | undefined }) {
    super('admin_unreachable', `no answer from the administrative interface: ${operation}`, options);
    this.status = options?.status;
  }
}

/** A write that was sent and got no usable answer (time-out, reset, 5xx): it may or may not have been applied. */
export class AdminOutcomeUnknownError extends PermanentError {
  constructor(operation: string, options?: ErrorOptions) {
    super('admin_outcome_unknown', `nobody knows whether it was applied: ${operation}`, options);
  }
}

/** A read was answered with something that is not JSON, not of a known shape, or too large to hold. */
export class AdminUnreadableError extends PermanentError {
  constructor(operation: string, options?: ErrorOptions) {
    super('admin_unreadable', `the administrative interface answered unreadably: ${operation}`, options);
  }
}
