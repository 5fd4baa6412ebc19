import { PermanentError, TransientError } from '../errors.ts';

/** The connection was refused or never made: the request provably did not reach the other side. */
export class NotSentError extends TransientError {
  constructor(origin: string, options?: ErrorOptions & { retryAfterMs?: number; reason?: string }) {
    super('not_sent', `no connection to ${origin}${options?.reason ? `: ${options.reason}` : ''}`, options);
  }
}

/** Nothing was sent, because the origin failed too often lately: it is left in peace for `retryAfterMs`. */
export class CircuitOpenError extends NotSentError {
  constructor(origin: string, retryAfterMs: number) {
    super(origin, { retryAfterMs, reason: 'it failed too often lately' });
  }
}

/** Bytes may have been sent and no complete answer came back: nobody knows whether it was processed. */
export class OutcomeUnknownError extends PermanentError {
  readonly reason: 'timeout' | 'reset' | 'too_large' | 'aborted';

  constructor(origin: string, reason: OutcomeUnknownError['reason'], options?: ErrorOptions) {
    super('outcome_unknown', `no complete answer from ${origin}: ${reason}`, options);
    this.reason = reason;
  }
}
