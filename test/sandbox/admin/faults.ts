import type { FaultQueue } from '../loopback/fault-queue.ts';
import type { Reply } from '../loopback/reply.ts';
import { toRetryDate } from '../loopback/wire-faults.ts';
import type { Operation } from './operations.ts';

/** Played on an operation that was carried out. */
type AdminOddity = 'delay' | 'lost-500' | 'truncated';

/** Answered before anything is read or written. */
export type AdminRefusal = keyof typeof REFUSALS;

export type AdminFault = AdminRefusal | 'reset' | AdminOddity;

export type AdminFaultOptions = {
  /** The operation it fits; default any. */
  readonly on?: Operation;
  readonly times?: number;
  /** Length of `delay`; default 200. */
  readonly ms?: number;
  /** Seconds of `Retry-After`; default 1. */
  readonly retryAfterS?: number;
};

export type AdminFaults = FaultQueue<AdminFault, AdminFaultOptions>;

export function buildError(status: number, code: string, message: string, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: { error: { code, message } } };
}

/** `retryAfterS`: for those that say when to come again. */
type Refuse = (retryAfterS: number) => Reply;

const refuse =
  (...error: Parameters<typeof buildError>): Refuse =>
  () =>
    buildError(...error);
const throttle =
  (toRetryAfter: (seconds: number) => string): Refuse =>
  (seconds) =>
    buildError(429, 'TooManyRequests', '', { 'retry-after': toRetryAfter(seconds) });
const answer =
  (reply: Reply): Refuse =>
  () =>
    reply;

export const REFUSALS = {
  '400': refuse(400, 'BadRequest', 'The request is invalid.'),
  '403': refuse(403, 'Forbidden', 'The caller lacks the rights for this operation.'),
  '404': refuse(404, 'NotFound', 'The resource was not found.'),
  '410': refuse(410, 'Gone', 'The operation is no longer available.'),
  '422': refuse(422, 'UnprocessableEntity', 'The request cannot be processed.'),
  '429-seconds': throttle(String),
  '429-date': throttle(toRetryDate),
  '500': refuse(500, 'InternalServerError', 'An unexpected error occurred.'),
  '503': refuse(503, 'ServiceUnavailable', 'The service is unavailable.'),
  html: answer({ status: 502, body: '<html><body><h1>502 Bad Gateway</h1></body></html>' }),
  'not-json': answer({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"totalRecords": 1, "data": [',
  }),
};

export function toRefusal(fault: AdminFault | undefined): AdminRefusal | undefined {
  return fault !== undefined && fault in REFUSALS ? (fault as AdminRefusal) : undefined;
}
