import { PermanentError, TransientError } from '../errors.ts';

/** The connection was refused or never made: the request did not reach the other side. */
export class NotSentError extends TransientError {
  constructor(origin: string, options?: ErrorOptions & { retryAfterMs?: number; reason?: string }) {
    super('not_sent', `no connection to ${origin}${options?.reason ? `: ${options.reason}` : ''}`, options);
  }
}

/** Nothing was sent, because the origin failed too often recently. Retry after `retryAfterMs`. */
export class CircuitOpenError extends NotSentError {
  constructor(origin: string, retryAfterMs: number) {
    super(origin, { retryAfterMs, reason: 'it failed too often lately' });
  }
}

/** Bytes may have been sent and no complete response came back: it may have been processed. */
export class OutcomeUnknownError extends PermanentError {
  readonly reason: 'timeout' | 'reset' | 'too_large' | 'aborted';

  constructor(origin: string, reason: OutcomeUnknownError['reason'], options?: ErrorOptions) {
    super('outcome_unknown', `no complete answer from ${origin}: ${reason}`, options);
    this.reason = reason;
  }
}

/**
 * Reads a Retry-After header (RFC 9110 section 10.2.3: whole seconds, or an HTTP date) as milliseconds from `now`.
 * Undefined if it is missing or unreadable. A date in the past is 0.
 */
export function parseRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (!text) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts nearly anything: it reads 1.5 and -5 as days in 2001, which would mean no wait at all.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  // The oldest of the three HTTP date formats has no zone and means GMT.
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
