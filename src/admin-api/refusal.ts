// What a status of the administrative interface means.
import type { Trace } from '../errors.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { parseRetryAfter, readTrace } from '../http/http-errors.ts';
import { parseObject, toObject } from '../json.ts';
import { AdminRefusedError, AdminRejectedError, AdminThrottledError } from './admin-errors.ts';
import { QUERY_INVENTORY } from './inventory-wire.ts';
import { toText } from './wire-values.ts';

/** After 408 and 5xx the request may have been processed. 501 is a refusal: the operation does not exist. */
export function hasFailed(status: number): boolean {
  return status === 408 || (status >= 500 && status !== 501);
}

/**
 * The service is unavailable or timed out. Any other 5xx is its response about one object, such as an environment that
 * it cannot read.
 */
export function isUnanswered(status: number): boolean {
  return [408, 502, 503, 504].includes(status);
}

/** Undefined on success. `now` (epoch ms): for a Retry-After that is a date. */
export function toRefusal(operation: string, response: HttpResponse, text: string, now: number): Error | undefined {
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
export function traceOf(response: HttpResponse, text: string): Trace {
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
