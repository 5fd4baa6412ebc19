// One exchange with the administrative interface: address, token, retries, and what a status means.

import { TransientError } from '../errors.ts';
import type { HttpClient, HttpResponse } from '../http/http-client.ts';
import { NotSentError, OutcomeUnknownError, parseRetryAfter } from '../http/http-errors.ts';
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
  readTrace,
} from './admin-errors.ts';
import { QUERY_INVENTORY } from './inventory-wire.ts';
import { toRecord, toText } from './wire-values.ts';

export type AdminRequest = {
  /** Names the operation in errors and logs. */
  operation: string;
  /** The environment it is about; undefined where it is about the whole tenant. */
  environmentId?: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below the base address, encoded: see toPath. */
  path: string;
  token: string;
  body?: unknown;
  /** For responses above the HTTP client's default limit. */
  maxBodyBytes?: number;
};

export type AdminTransport = {
  /** The parsed JSON of the response; undefined if it is empty. Retried up to twice if that may help. */
  read(request: AdminRequest): Promise<unknown>;
  /** Resolves on any 2xx. Retried only if it was not sent. */
  write(request: AdminRequest): Promise<AdminReceipt>;
};

export type AdminTransportOptions = {
  http: HttpClient;
  baseUrl: string;
  apiVersion: string;
  now: () => number;
  timeoutMs: number;
};

const MAX_RETRIES = 2;

/** Somebody is waiting in Slack: longer waits are reported to them instead. */
const MAX_RETRY_AFTER_MS = 2_000;

export function createAdminTransport(options: AdminTransportOptions): AdminTransport {
  return {
    read: (request) => withRetries(isWorthReading, () => read(options, request)),
    write: (request) => withRetries(isNotSent, () => write(options, request)),
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
    error instanceof AdminThrottledError || (error instanceof AdminUnreachableError && error.status === 503);
  return isBusy && isSoon(error);
}

/** Also false while the circuit breaker is open for long. */
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
    const retryAfterMs = toRetryAfterMs(response, options.now());
    const trace = readTrace(response, parseErrorObject(text));
    if (!isUnanswered(status) && retryAfterMs === undefined) throw new AdminFailedError(operation, trace);
    throw new AdminUnreachableError(operation, { status, retryAfterMs, ...trace });
  }
  const refusal = toRefusal(operation, response, text, options.now());
  if (refusal) throw refusal;
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AdminUnreadableError(operation, { cause: error, ...readTrace(response) });
  }
}

async function write(options: AdminTransportOptions, request: AdminRequest): Promise<AdminReceipt> {
  const { operation } = request;
  const { response, text } = await exchange(options, request).catch((error: unknown) => {
    if (error instanceof NotSentError) throw toUnreachable(operation, error);
    throw isNoAnswer(error) ? new AdminOutcomeUnknownError(operation, { cause: error }) : error;
  });
  if (hasFailed(response.status)) {
    throw new AdminOutcomeUnknownError(operation, readTrace(response, parseErrorObject(text)));
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
    url: `${baseUrl.replace(/\/+$/, '')}${path}?api-version=${encodeURIComponent(apiVersion)}`,
    subject: environmentId === undefined ? operation : `environment ${environmentId}`,
    // An unreadable environment keeps failing, and there may be many of them.
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
  // The status of a write is enough, even if its body is lost.
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

/** The only known error code of deployments: the rule belongs to the environment's group. */
const LOCKED_BY_POLICY = 'TenantPoolLockedByPolicy';

/** 501: the operation does not exist. Other 5xx and 408 do not say whether it was processed. */
function hasFailed(status: number): boolean {
  return status === 408 || (status >= 500 && status !== 501);
}

/**
 * Unavailable or timed out. Any other 5xx is the service's response about one object, such as an environment that it
 * cannot read.
 */
function isUnanswered(status: number): boolean {
  return [408, 502, 503, 504].includes(status);
}

/** Undefined for a success. `now` is epoch ms, for a wait that is a date. */
function toRefusal(operation: string, response: HttpResponse, text: string, now: number): Error | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const trace = readTrace(response, parseErrorObject(text));
  if (status === 401) return new AdminRefusedError('admin_unauthorized', operation, trace);
  if (status === 429) return new AdminThrottledError(operation, toRetryAfterMs(response, now), trace);
  if (trace.serviceCode === LOCKED_BY_POLICY) return new AdminRefusedError('admin_locked_by_policy', operation, trace);
  if (status === 403) return new AdminRefusedError('admin_forbidden', operation, trace);
  if (status === 404 && operation !== QUERY_INVENTORY)
    return new AdminRefusedError('admin_not_found', operation, trace);
  // The query names no object that could be missing, so on 404 the URL is wrong.
  if (status === 404 || status === 405 || status === 501)
    return new AdminRefusedError('admin_not_offered', operation, trace);
  return new AdminRejectedError(operation, parseExplanation(text), trace);
}

function toRetryAfterMs({ headers }: HttpResponse, now: number): number | undefined {
  return parseRetryAfter(headers['retry-after'], now);
}

const MAX_LENGTH = 200;

/**
 * The service's explanation as one line, at most 200 characters, untrusted; undefined if there is none. The contract shows
 * no error body; these are the usual shapes.
 */
function parseExplanation(body: string): string | undefined {
  const answer = toRecord(parseJson(body));
  const error = toRecord(answer.error);
  const said = [error.message, answer.message, answer.detail, answer.error_description, answer.title, answer.error];
  const text = said.map(toText).find((candidate) => candidate !== undefined);
  const line = text?.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  if (!line) return undefined;
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : line;
}

/** The `error` object of the body, or an empty one. */
function parseErrorObject(body: string): Record<string, unknown> {
  return toRecord(toRecord(parseJson(body)).error);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
