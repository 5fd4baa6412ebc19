import type { FaultQueue } from '../loopback/fault-queue.ts';
import type { Reply } from '../loopback/reply.ts';
import { toHttpDate } from '../loopback/wire-faults.ts';
import type { Operation } from './operations.ts';

/** Answered before anything is read or written. */
type AdminRefusal =
  | '400'
  | '403'
  | '404'
  | '410'
  | '422'
  | '429-seconds'
  | '429-date'
  | '500'
  | '503'
  | 'html'
  | 'not-json'
  | 'reset';

/** Played on an operation that was carried out. */
type AdminOddity = 'delay' | 'reset-after-processing' | 'lost-500' | 'repeated-row' | 'truncated';

export type AdminFault = AdminRefusal | AdminOddity;

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

export type AnsweredRefusal = Exclude<AdminRefusal, 'reset'>;

export const REFUSALS: Readonly<Record<AnsweredRefusal, (retryAfterS: number) => Reply>> = {
  '400': () => buildError(400, 'BadRequest', 'The request is invalid.'),
  '403': () => buildError(403, 'Forbidden', 'The caller lacks the rights for this operation.'),
  '404': () => buildError(404, 'NotFound', 'The resource was not found.'),
  '410': () => buildError(410, 'Gone', 'The operation is no longer available.'),
  '422': () => buildError(422, 'UnprocessableEntity', 'The request cannot be processed.'),
  '429-seconds': (seconds) => buildError(429, 'TooManyRequests', '', { 'retry-after': String(seconds) }),
  '429-date': (seconds) =>
    buildError(429, 'TooManyRequests', '', {
      'retry-after': toHttpDate(Math.ceil(Date.now() / 1000 + seconds) * 1000),
    }),
  '500': () => buildError(500, 'InternalServerError', 'An unexpected error occurred.'),
  '503': () => buildError(503, 'ServiceUnavailable', 'The service is unavailable.'),
  html: () => ({ status: 502, body: '<html><body><h1>502 Bad Gateway</h1></body></html>' }),
  'not-json': () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"totalRecords": 1, "data": [',
  }),
};

export function isAnswered(fault: AdminFault): fault is keyof typeof REFUSALS {
  return fault in REFUSALS;
}
