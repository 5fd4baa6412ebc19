import { BridgeError, PermanentError, type Trace, TransientError, UserError } from '../errors.ts';

/** `trace`: of the response. Undefined: there was no response. */
type Details = ErrorOptions & { trace?: Trace | undefined; retryAfterMs?: number | undefined };

/** The messages, for operators. */
const REFUSALS = {
  // 401: the administrator's token has expired, or is not for this interface.
  admin_unauthorized: (operation: string) =>
    `the administrative interface refused the token: ${operation}. Sign in again.`,
  // 403: the account may not do this.
  admin_forbidden: (operation: string) =>
    `the administrative interface forbids: ${operation}. The account needs the administrator role there.`,
  // 404: the object does not exist.
  admin_not_found: (operation: string) =>
    `the administrative interface does not know what was named: ${operation}. Look again.`,
  // 405, 501, and 404 for the inventory query: the deployment has no such operation.
  admin_not_offered: (operation: string) =>
    `the administrative interface does not offer: ${operation}. Check ADMIN_API_BASE_URL and ADMIN_API_VERSION.`,
  // A policy of the environment's group sets this rule: it cannot be set for one environment.
  admin_locked_by_policy: (operation: string) =>
    `a policy of the environment's group forbids: ${operation}. Change the policy, or leave that rule as it is.`,
};

type AdminRefusal = keyof typeof REFUSALS;

/** The service refused; the code is the reason. Nothing was processed. */
export class AdminRefusedError extends UserError {
  /** The refused operation, such as *read allocation*. */
  readonly operation: string;

  constructor(code: AdminRefusal, operation: string, trace?: Trace) {
    super(code, REFUSALS[code](operation), { trace });
    this.operation = operation;
  }
}

export function isAdminRefusal(error: unknown, ...codes: AdminRefusal[]): error is AdminRefusedError {
  return error instanceof AdminRefusedError && codes.some((code) => code === error.code);
}

/** 400 and similar: the service read the request and refused it. Nothing was processed. */
export class AdminRejectedError extends UserError {
  /** The service's own words, at most 200 characters, on one line. Untrusted. */
  readonly explanation: string | undefined;

  constructor(operation: string, explanation: string | undefined, trace?: Trace) {
    super('admin_rejected', `the administrative interface rejected: ${operation}. Correct what was asked for.`, {
      trace,
    });
    this.explanation = explanation;
  }
}

/** 429. Nothing was processed. `retryAfterMs`: set if the service named a wait. */
export class AdminThrottledError extends TransientError {
  constructor(operation: string, retryAfterMs: number | undefined, trace?: Trace) {
    const message = `the administrative interface throttles: ${operation}. Wait, then try again.`;
    super('admin_throttled', message, { retryAfterMs, trace });
  }
}

/** The request was not sent, or a read got no response: safe to repeat. */
export class AdminUnreachableError extends TransientError {
  constructor(operation: string, details?: Details) {
    const message = `no answer from the administrative interface: ${operation}. Try again; if it goes on, check ADMIN_API_BASE_URL.`;
    super('admin_unreachable', message, details);
  }
}

/** A read failed inside the service (500). It may fail again for the same object. */
export class AdminFailedError extends TransientError {
  constructor(operation: string, details?: Details) {
    const message = `the administrative interface reported an internal error: ${operation}. Ask those who run it.`;
    super('admin_failed', message, details);
  }
}

/** A write without a usable response (time-out, reset, 5xx): it may or may not have been applied. */
export class AdminOutcomeUnknownError extends PermanentError {
  constructor(operation: string, details?: Details) {
    const message = `nobody knows whether it was applied: ${operation}. Read before repeating.`;
    super('admin_outcome_unknown', message, details);
  }
}

/** The response to a read is not JSON, has an unknown shape, or is too large. */
export class AdminUnreadableError extends PermanentError {
  constructor(operation: string, details?: Details) {
    const message = `the administrative interface answered unreadably: ${operation}. Check ADMIN_API_BASE_URL and ADMIN_API_VERSION.`;
    super('admin_unreadable', message, details);
  }
}

/** A successful write. Reads may not see it yet. */
export type AdminReceipt = { requestId?: string | undefined };

/** The request id of an error of this file. */
export function readRequestId(error: unknown): string | undefined {
  return error instanceof BridgeError ? error.trace?.requestId : undefined;
}
