import type { HttpResponse } from '../http/http-client.ts';
import { isObject, type JsonObject } from './json.ts';

/** For logs only: what an operator needs to find the request on the other side. No text of a question or an answer. */
export type ServiceTrace = {
  status?: number | undefined;
  /** The service's own error code, as it sent it. */
  serviceCode?: string | undefined;
  requestId?: string | undefined;
  clientRequestId?: string | undefined;
};

/** `error` is the `error` object of the body, where there is one. */
export function readTrace(response: Pick<HttpResponse, 'status' | 'headers'>, error: JsonObject = {}): ServiceTrace {
  const inner = isObject(error.innerError) ? error.innerError : {};
  const readId = (name: string) => toToken([response.headers[name]].flat()[0]) ?? toToken(inner[name]);
  return {
    status: response.status,
    serviceCode: toToken(error.code) ?? toToken(inner.code),
    requestId: readId('request-id'),
    clientRequestId: readId('client-request-id'),
  };
}

/** What goes into logs is a short identifier; anything else there could be text of a person. */
function toToken(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.:/-]{1,100}$/.test(value) ? value : undefined;
}
