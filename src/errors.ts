/**
 * Every error thrown on purpose is a BridgeError of one of three kinds; the kind decides what happens next. Anything else
 * is a bug. `code` is stable lower snake case and safe to log; `message` is for operators and never shown in Slack.
 */
export abstract class BridgeError extends Error {
  readonly code: string;
  readonly trace: Trace | undefined;

  constructor(code: string, message: string, options?: Details) {
    super(message, options);
    this.code = code;
    this.trace = options?.trace;
    this.name = new.target.name;
  }
}

/** For logs only: ids that help an operator find the request in a service's logs. No text of people. */
export type Trace = {
  status?: number | undefined;
  /** The service's own error code, as it sent it. */
  serviceCode?: string | undefined;
  requestId?: string | undefined;
  clientRequestId?: string | undefined;
};

type Details = ErrorOptions & { trace?: Trace | undefined };

/** The person can do something about it: tell them, never retry. */
export class UserError extends BridgeError {}

/** Nothing was processed: it may be retried, after `retryAfterMs` if the other side named a wait. */
export class TransientError extends BridgeError {
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, options?: Details & { retryAfterMs?: number | undefined }) {
    super(code, message, options);
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** A retry would not help, or could process the request twice: tell the person, never retry. */
export class PermanentError extends BridgeError {}

/** The store could not be written in time. Nothing was accepted; the sender should send it again. */
export class StoreUnavailableError extends TransientError {
  constructor(message: string, options?: ErrorOptions) {
    super('store_unavailable', message, options);
  }
}

/** The store works, but another holder kept the lock for too long. Nothing was done. */
export class LockBusyError extends StoreUnavailableError {
  override readonly code = 'busy';
}

/** The code of one of our errors; empty for any other. */
export function codeOf(error: unknown): string {
  return error instanceof BridgeError ? error.code : '';
}

/** The code of an error of Node (`ENOENT`) or of a library. Undefined: it has none. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
