import { PermanentError, TransientError } from '../errors.ts';

/** The connection was refused or never made: the request provably did not reach the other side. */
export class NotSentError extends TransientError {
  constructor(origin: string, options?: ErrorOptions) {
    super('not_sent', `no connection to ${origin}`, options);
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
