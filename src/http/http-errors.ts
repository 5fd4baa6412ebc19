import { PermanentError, type Trace, TransientError } from '../errors.ts';
import { type JsonObject, toObject } from '../json.ts';
import { findErrorCode } from '../tls-fault.ts';

/** The connection was refused or never made: the request did not reach the other side. */
export class NotSentError extends TransientError {
  constructor(origin: string, options?: ErrorOptions & { retryAfterMs?: number; reason?: string }) {
    super('not_sent', `no connection to ${origin}${options?.reason ? `: ${options.reason}` : ''}`, options);
  }
}

/** The proxy refused to connect us (`status`) or cannot be used. Nothing reached the target. */
export class ProxyError extends TransientError {
  /** Host and port, because the whole address contains a password. */
  readonly proxy: string;
  readonly status: number | undefined;

  constructor(proxy: string, status: number | undefined, options?: ErrorOptions) {
    const code = findErrorCode(options?.cause);
    super(
      'proxy_failed',
      `the proxy at ${proxy} ${status === undefined ? `fails: ${code}` : `answers ${status}`}`,
      options,
    );
    this.proxy = proxy;
    this.status = status;
  }
}

/** Nothing was sent, because the origin failed too often recently. Retry after `retryAfterMs`. */
export class CircuitOpenError extends NotSentError {
  constructor(origin: string, retryAfterMs: number) {
    super(origin, { retryAfterMs, reason: 'it failed too often recently' });
  }
}

/** Bytes may have been sent, and no complete response came back: the request may have been processed. */
export class OutcomeUnknownError extends PermanentError {
  readonly reason: 'timeout' | 'reset' | 'too_large' | 'aborted';

  constructor(origin: string, reason: OutcomeUnknownError['reason'], options?: ErrorOptions) {
    super('outcome_unknown', `no complete answer from ${origin}: ${reason}`, options);
    this.reason = reason;
  }
}

/** The body of a request to us is larger than this kind may be. */
export class BodyTooLargeError extends PermanentError {
  constructor(maxBytes: number) {
    super('body_too_large', `the body has more than ${maxBytes} bytes`);
  }
}

/** The bodies of all requests to us took too much memory together, and this one was dropped. */
export class TooManyBodiesError extends TransientError {
  constructor() {
    super('too_many_bodies', 'too much is being sent to us at once', { retryAfterMs: 1_000 });
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

/** Header names of a gateway's own ids, which are read if the service itself names none. */
const GATEWAY_ID_HEADERS = ['x-ms-request-id', 'x-ms-correlation-request-id', 'x-request-id', 'x-correlation-id'];

type Answer = { status: number; headers: Record<string, string | string[] | undefined> };

/** Ids to find a request in the service's logs. `error`: the `error` object of the body, if there is one. */
export function readTrace({ status, headers }: Answer, error: JsonObject = {}): Trace {
  const inner = toObject(error.innerError);
  const readId = (name: string) => toLoggableId([headers[name]].flat()[0]);
  const inBody = [toLoggableId(inner['request-id']), toLoggableId(inner.requestId)];
  const ids = [readId('request-id'), ...inBody, ...GATEWAY_ID_HEADERS.map(readId)];
  return {
    status,
    serviceCode: toLoggableId(error.code) ?? toLoggableId(inner.code),
    requestId: ids.find((id) => id !== undefined),
    clientRequestId: readId('client-request-id') ?? toLoggableId(inner['client-request-id']),
  };
}

/** A short identifier from a response, for logs and the audit log. Undefined: it may be people's text. */
function toLoggableId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.:/-]{1,100}$/.test(value) ? value : undefined;
}
