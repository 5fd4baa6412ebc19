// Sends one request to the administrative interface: address, token and retries, and what each status means.
import { type Trace, TransientError } from '../errors.ts';
import type { HttpClient, HttpResponse } from '../http/http-client.ts';
import { NotSentError, OutcomeUnknownError, parseRetryAfter, readTrace } from '../http/http-errors.ts';
import { withoutTrailingSlash } from '../http/web-address.ts';
import { parseJson, parseObject, toObject } from '../json.ts';
import { retry } from '../retry.ts';
import {
  AdminFailedError,
  AdminOutcomeUnknownError,
  type AdminReceipt,
  AdminRefusedError,
  AdminRejectedError,
  AdminThrottledError,
  AdminUnreachableError,
  AdminUnreadableError,
} from './admin-errors.ts';
import { QUERY_INVENTORY } from './inventory-wire.ts';
import { toText } from './wire-values.ts';

export type AdminRequest = {
  /** Names the operation in errors and logs. */
  operation: string;
  /** The environment that the request is about. Undefined: the whole tenant. */
  environmentId?: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The encoded path below the base address: see toPath. */
  path: string;
  token: string;
  body?: unknown;
  /** For responses above the HTTP client's default limit. */
  maxBodyBytes?: number;
};

export type AdminTransportOptions = {
  http: HttpClient;
  baseUrl: string;
  apiVersion: string;
  /** Epoch ms. */
  now: () => number;
  timeoutMs: number;
};

const MAX_RETRIES = 2;

/** Somebody is waiting in Slack: they are told about longer waits instead. */
const MAX_RETRY_AFTER_MS = 2_000;

export function createAdminTransport(options: AdminTransportOptions) {
  return {
    /** The parsed JSON of the response; undefined if it is empty. Retried up to twice after errors that may pass. */
    read: (request: AdminRequest) => withRetries(isWorthReading, () => read(options, request)),
    /** Resolves on any 2xx. Retried only if the request was not sent. */
    write: (request: AdminRequest) => withRetries(isNotSent, () => write(options, request)),
  };
}

function withRetries<T>(isRetryable: (error: unknown) => boolean, attempt: () => Promise<T>): Promise<T> {
  return retry(attempt, (error, failures) => {
    if (failures > MAX_RETRIES || !isRetryable(error)) return undefined;
    const waitMs = error instanceof TransientError ? error.retryAfterMs : undefined;
    // Jitter on top, to avoid a thundering herd.
    return (waitMs ?? 100) + Math.random() * 200;
  });
}

function isWorthReading(error: unknown): boolean {
  if (isNotSent(error)) return true;
  const isBusy =
    error instanceof AdminThrottledError || (error instanceof AdminUnreachableError && error.trace?.status === 503);
  return isBusy && isSoon(error);
}

/** False, too, if the circuit breaker stays open for long. */
function isNotSent(error: unknown): boolean {
  return error instanceof AdminUnreachableError && error.cause instanceof NotSentError && isSoon(error);
}

function isSoon({ retryAfterMs = 0 }: TransientError): boolean {
  return retryAfterMs <= MAX_RETRY_AFTER_MS;
}

async function read(options: AdminTransportOptions, request: AdminRequest): Promise<unknown> {
  const { operation } = request;
  const { response, text } = await exchange(options, request).catch((error: unknown) => {
    if (error instanceof OutcomeUnknownError && error.reason === 'too_large') {
      throw new AdminUnreadableError(operation, { cause: error });
    }
    throw isNoAnswer(error) ? toUnreachable(operation, error) : error;
  });
  const { status } = response;
  if (hasFailed(status)) {
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], options.now());
    const trace = traceOf(response, text);
    if (!isUnanswered(status)) throw new AdminFailedError(operation, { retryAfterMs, trace });
    throw new AdminUnreachableError(operation, { retryAfterMs, trace });
  }
  const refusal = toRefusal(operation, response, text, options.now());
  if (refusal) throw refusal;
  if (text.trim() === '') return undefined;
  const answer = parseJson(text);
  if (answer === undefined) throw new AdminUnreadableError(operation, { trace: readTrace(response) });
  return answer;
}

async function write(options: AdminTransportOptions, request: AdminRequest): Promise<AdminReceipt> {
  const { operation } = request;
  const { response, text } = await exchange(options, request).catch((error: unknown) => {
    if (error instanceof NotSentError) throw toUnreachable(operation, error);
    throw isNoAnswer(error) ? new AdminOutcomeUnknownError(operation, { cause: error }) : error;
  });
  const { status } = response;
  if (hasFailed(status)) {
    throw new AdminOutcomeUnknownError(operation, { trace: traceOf(response, text) });
  }
  const refusal = toRefusal(operation, response, text, options.now());
  if (refusal) throw refusal;
  return { requestId: readTrace(response).requestId };
}

async function exchange(
  { http, baseUrl, apiVersion, timeoutMs }: AdminTransportOptions,
  { operation, environmentId, method, path, token, body, maxBodyBytes }: AdminRequest,
): Promise<{ response: HttpResponse; text: string }> {
  const response = await http.send({
    method,
    url: `${withoutTrailingSlash(baseUrl)}${path}?api-version=${encodeURIComponent(apiVersion)}`,
    subject: environmentId === undefined ? operation : `environment ${environmentId}`,
    // The service may fail to read one environment again and again. That must not count as a failure of the service.
    failsAlone: environmentId !== undefined,
    isRefusal: ({ status }) => !isUnanswered(status),
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
    totalTimeoutMs: timeoutMs,
  });
  // For a write the status is enough, even if the body is lost.
  const isWrite = method === 'PUT' || method === 'PATCH';
  const text = isWrite ? await response.text().catch(() => '') : await response.text();
  return { response, text };
}

function toUnreachable(operation: string, cause: unknown): AdminUnreachableError {
  const retryAfterMs = cause instanceof NotSentError ? cause.retryAfterMs : undefined;
  return new AdminUnreachableError(operation, { cause, retryAfterMs });
}

function isNoAnswer(error: unknown): boolean {
  return error instanceof NotSentError || error instanceof OutcomeUnknownError;
}

/** After 408 and 5xx the request may have been processed. 501 is a refusal: the operation does not exist. */
function hasFailed(status: number): boolean {
  return status === 408 || (status >= 500 && status !== 501);
}

/**
 * The service is unavailable or timed out. Any other 5xx is its response about one object, such as an environment that
 * it cannot read.
 */
function isUnanswered(status: number): boolean {
  return [408, 502, 503, 504].includes(status);
}

/** Undefined on success. `now` (epoch ms): for a Retry-After that is a date. */
function toRefusal(operation: string, response: HttpResponse, text: string, now: number): Error | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const trace = traceOf(response, text);
  if (status === 401) return new AdminRefusedError('admin_unauthorized', operation, trace);
  if (status === 429)
    return new AdminThrottledError(operation, parseRetryAfter(response.headers['retry-after'], now), trace);
  if (trace.serviceCode === LOCKED_BY_POLICY) return new AdminRefusedError('admin_locked_by_policy', operation, trace);
  if (status === 403) return new AdminRefusedError('admin_forbidden', operation, trace);
  if (status === 404 && operation !== QUERY_INVENTORY)
    return new AdminRefusedError('admin_not_found', operation, trace);
  // The query names no object that could be missing, so on 404 the URL is wrong.
  if (status === 404 || status === 405 || status === 501)
    return new AdminRefusedError('admin_not_offered', operation, trace);
  return new AdminRejectedError(operation, parseExplanation(text), trace);
}

/** The ids of a response whose body may have an `error` object. */
function traceOf(response: HttpResponse, text: string): Trace {
  return readTrace(response, toObject(parseObject(text).error));
}

/** The only error code that deployments are known to send: the environment's group sets the rule. */
const LOCKED_BY_POLICY = 'TenantPoolLockedByPolicy';

const MAX_LENGTH = 200;

/**
 * The service's explanation as one line of at most 200 characters. Untrusted. Undefined if there is none. The contract
 * defines no error body; these are the usual shapes.
 */
function parseExplanation(body: string): string | undefined {
  const answer = parseObject(body);
  const error = toObject(answer.error);
  const said = [error.message, answer.message, answer.detail, answer.error_description, answer.title, answer.error];
  const text = said.map(toText).find((candidate) => candidate !== undefined);
  const line = text?.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  if (!line) return undefined;
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : line;
}
