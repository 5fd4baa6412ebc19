// What finds a request again in the logs of the service. The contract names no header for it.

import { toRecord } from '../admin-api/wire-values.ts';
import type { HttpResponse } from '../http/http-client.ts';

/** Short identifiers, safe to log. */
export type AdminTrace = {
  requestId?: string | undefined;
  /** The service's own code of an error. */
  serviceCode?: string | undefined;
};

/** The service answered a write with success. It may say so before others see it. */
export type AdminReceipt = Pick<AdminTrace, 'requestId'>;

/** As deployments of this shape, and the gateways before them, have been seen to call it. */
const REQUEST_ID_HEADERS = [
  'request-id',
  'x-ms-request-id',
  'x-ms-correlation-request-id',
  'x-request-id',
  'x-correlation-id',
];

/** `error` is the `error` object of the body, where there is one. */
export function readTrace({ headers }: Pick<HttpResponse, 'headers'>, error: Record<string, unknown> = {}): AdminTrace {
  const inner = toRecord(error.innerError);
  const ids = [...REQUEST_ID_HEADERS.map((name) => [headers[name]].flat()[0]), inner['request-id'], inner.requestId];
  return {
    requestId: ids.map(toToken).find((id) => id !== undefined),
    serviceCode: toToken(error.code) ?? toToken(inner.code),
  };
}

/** Of a receipt, or of an error of admin-errors.ts. */
export function readRequestId(value: unknown): string | undefined {
  return toToken(toRecord(value).requestId);
}

/** What goes into logs and into the audit is a short identifier; anything else there could be text of a person. */
function toToken(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.:/-]{1,100}$/.test(value) ? value : undefined;
}
