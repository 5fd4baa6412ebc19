// What a status says about a request: refused, or unknown to have been processed. The contract shows none of it.

import { AdminRefusedError, AdminRejectedError, AdminThrottledError } from '../admin-api/admin-errors.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { readTrace } from './admin-trace.ts';
import { parseErrorObject, parseExplanation } from './explanation.ts';
import { QUERY_INVENTORY } from './inventory-query.ts';

/** The only error code that is known of deployments: a rule that belongs to the environment's group. */
const LOCKED_BY_POLICY = 'TenantPoolLockedByPolicy';

/** 501 says that the operation does not exist there; the other 5xx, and 408, say nothing about what was processed. */
export function hasFailed(status: number): boolean {
  return status === 408 || (status >= 500 && status !== 501);
}

/**
 * Nobody was there to answer, or not in time. Any other 5xx is an answer of the service about what it was asked, such as
 * one environment that it cannot read.
 */
export function isUnanswered(status: number): boolean {
  return [408, 502, 503, 504].includes(status);
}

/** Undefined for a success. `now` is epoch ms, for a wait that is a date. */
export function toRefusal(operation: string, response: HttpResponse, text: string, now: number): Error | undefined {
  const { status } = response;
  if (status >= 200 && status < 300) return undefined;
  const trace = readTrace(response, parseErrorObject(text));
  if (status === 401) return new AdminRefusedError('admin_unauthorized', operation, trace);
  if (status === 429) return new AdminThrottledError(operation, toRetryAfterMs(response, now), trace);
  if (trace.serviceCode === LOCKED_BY_POLICY) return new AdminRefusedError('admin_locked_by_policy', operation, trace);
  if (status === 403) return new AdminRefusedError('admin_forbidden', operation, trace);
  if (status === 404 && operation !== QUERY_INVENTORY)
    return new AdminRefusedError('admin_not_found', operation, trace);
  // The query names nothing that could be missing: where it is not found, it is the address.
  if (status === 404 || status === 405 || status === 501)
    return new AdminRefusedError('admin_not_offered', operation, trace);
  return new AdminRejectedError(operation, parseExplanation(text), trace);
}

export function toRetryAfterMs({ headers }: HttpResponse, now: number): number | undefined {
  return parseRetryAfter(headers['retry-after'], now);
}
