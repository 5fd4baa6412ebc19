// One exchange with the administrative interface: address, token, retries, and what a status means.
import { DelegateBackoff, handleWhen, type IRetryBackoffContext, retry } from 'cockatiel';
import { TransientError } from '../errors.ts';
import type { HttpClient, HttpResponse } from '../http/http-client.ts';
import { NotSentError, OutcomeUnknownError } from '../http/http-errors.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import {
  AdminForbiddenError,
  AdminNotFoundError,
  AdminOutcomeUnknownError,
  AdminRejectedError,
  AdminThrottledError,
  AdminUnauthorizedError,
  AdminUnreachableError,
  AdminUnreadableError,
} from './admin-errors.ts';
import { parseExplanation } from './explanation.ts';

type AdminRequest = {
  /** Names the operation in errors and logs. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT';
  /** Below the base address, encoded: see toPath. */
  path: string;
  token: string;
  body?: unknown;
};

export type AdminTransport = {
  /** The parsed JSON of the answer; undefined where it is empty. Repeated up to twice where that may help. */
  read(request: AdminRequest): Promise<unknown>;
  /** Resolves on any 2xx. Repeated only where it was provably not sent. */
  write(request: AdminRequest): Promise<void>;
};

export type AdminTransportOptions = {
  http: HttpClient;
  baseUrl: string;
  apiVersion: string;
  now: () => number;
  timeoutMs: number;
};

const MAX_RETRIES = 2;

/** Somebody waits in Slack: a longer wait is said to them instead. */
const MAX_RETRY_AFTER_MS = 2_000;

export function createAdminTransport(options: AdminTransportOptions): AdminTransport {
  return {
    read: (request) => withRetries(isWorthReading, () => read(options, request)),
    write: (request) => withRetries(isNotSent, () => write(options, request)),
  };
}

function withRetries<T>(isRetryable: (error: unknown) => boolean, attempt: () => Promise<T>): Promise<T> {
  const backoff = new DelegateBackoff<IRetryBackoffContext<unknown>>(({ result }) => {
    const error = 'error' in result ? result.error : undefined;
    const waitMs = error instanceof TransientError ? error.retryAfterMs : undefined;
    // Jitter on top, never below: replicas that were refused together must not come back together.
    return (waitMs ?? 100) + Math.random() * 200;
  });
  return retry(handleWhen(isRetryable), { maxAttempts: MAX_RETRIES, backoff }).execute(attempt);
}

function isWorthReading(error: unknown): boolean {
  if (isNotSent(error)) return true;
  const isBusy =
    error instanceof AdminThrottledError || (error instanceof AdminUnreachableError && error.status === 503);
  return isBusy && (error.retryAfterMs ?? 0) <= MAX_RETRY_AFTER_MS;
}

function isNotSent(error: unknown): boolean {
  return error instanceof AdminUnreachableError && error.cause instanceof NotSentError;
}

async function read(options: AdminTransportOptions, request: AdminRequest): Promise<unknown> {
  const { operation } = request;
  const { response, text } = await exchange(options, request).catch((error: unknown) => {
    if (error instanceof OutcomeUnknownError && error.reason === 'too_large') {
      throw new AdminUnreadableError(operation, { cause: error });
    }
    throw isNoAnswer(error) ? new AdminUnreachableError(operation, { cause: error }) : error;
  });
  const { status } = response;
  if (hasFailed(status)) {
    throw new AdminUnreachableError(operation, { status, retryAfterMs: toRetryAfterMs(options, response) });
  }
  throwIfRefused(options, request, response, text);
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AdminUnreadableError(operation, { cause: error });
  }
}

async function write(options: AdminTransportOptions, request: AdminRequest): Promise<void> {
  const { operation } = request;
  const { response, text } = await exchange(options, request).catch((error: unknown) => {
    if (error instanceof NotSentError) throw new AdminUnreachableError(operation, { cause: error });
    throw isNoAnswer(error) ? new AdminOutcomeUnknownError(operation, { cause: error }) : error;
  });
  if (hasFailed(response.status)) throw new AdminOutcomeUnknownError(operation);
  throwIfRefused(options, request, response, text);
}

async function exchange(
  { http, baseUrl, apiVersion, timeoutMs }: AdminTransportOptions,
  { method, path, token, body }: AdminRequest,
): Promise<{ response: HttpResponse; text: string }> {
  const response = await http.send({
    method,
    url: `${baseUrl.replace(/\/+$/, '')}${path}?api-version=${encodeURIComponent(apiVersion)}`,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    totalTimeoutMs: timeoutMs,
  });
  // The status of a write says what happened even where the body after it breaks off.
  const text = method === 'PUT' ? await response.text().catch(() => '') : await response.text();
  return { response, text };
}

function throwIfRefused(
  options: AdminTransportOptions,
  { operation }: AdminRequest,
  response: HttpResponse,
  text: string,
): void {
  const { status } = response;
  if (status >= 200 && status < 300) return;
  if (status === 401) throw new AdminUnauthorizedError(operation);
  if (status === 403) throw new AdminForbiddenError(operation);
  if ([404, 405, 501].includes(status)) throw new AdminNotFoundError(operation);
  if (status === 429) throw new AdminThrottledError(operation, toRetryAfterMs(options, response));
  throw new AdminRejectedError(operation, parseExplanation(text));
}

/** 501 says that the operation does not exist there; the other 5xx, and 408, say nothing about what was processed. */
function hasFailed(status: number): boolean {
  return status === 408 || (status >= 500 && status !== 501);
}

function isNoAnswer(error: unknown): boolean {
  return error instanceof NotSentError || error instanceof OutcomeUnknownError;
}

function toRetryAfterMs({ now }: AdminTransportOptions, response: HttpResponse): number | undefined {
  return parseRetryAfter(response.headers['retry-after'], now());
}
