/**
 * Every error this project throws on purpose is a BridgeError of one of three kinds; the kind decides what happens
 * next. Anything else that is thrown is a bug. `code` is stable lower snake case and safe to log; `message` is for
 * operators and never reaches a person in Slack.
 */
export abstract class BridgeError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/** The person can do something about it: say it to them, never retry. */
export class UserError extends BridgeError {}

/** Provably nothing was processed: the same may be tried again, after `retryAfterMs` where the other side named a wait. */
export class TransientError extends BridgeError {
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, options?: ErrorOptions & { retryAfterMs?: number | undefined }) {
    super(code, message, options);
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** Trying again would not help, or nobody knows whether it was processed: end it with a word to the person. */
export class PermanentError extends BridgeError {}

/** The store could not be written in time. Nothing was accepted; whoever delivered it should deliver it again. */
export class StoreUnavailableError extends TransientError {
  constructor(message: string, options?: ErrorOptions) {
    super('store_unavailable', message, options);
  }
}

/** The store is well, but somebody else has been at work on the same thing for longer than one waits. Nothing was done. */
export class LockBusyError extends StoreUnavailableError {
  override readonly code = 'busy';
}
