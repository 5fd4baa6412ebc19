import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { HTTPModuleFunctions } from '@slack/bolt';
import { BodyTooLargeError, TooManyBodiesError } from '../http/http-errors.ts';
import { readBody } from '../http/read-body.ts';
import type { Intake, OnAnswered, Payload } from './intake.ts';
import type { IntakeWatch, Refusal } from './intake-watch.ts';
import { isCurrent, isSignedBySlack, whyUnsigned } from './slack-request.ts';

/** Why a request is refused, and the HTTP status. */
export type Refused = { status: number; reason: Refusal };

/** Larger than anything Slack sends, far smaller than what would hurt. */
const BODY_LIMIT_BYTES = 1024 * 1024;

type Ports = { signingSecret: string; intake: Intake; onAnswered: OnAnswered; watch: IntakeWatch };

/**
 * Passes Slack's requests on, and acknowledges them only after the listeners are done. Bolt's own receiver accepts
 * timestamps in the future, holds unknown payloads for three seconds, and crashes on a body of `null`. Never rejects.
 */
export function createReceiver(ports: Ports) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const begunAt = performance.now();
    const type = await answer(ports, request, response);
    ports.onAnswered(type, response.statusCode, performance.now() - begunAt);
  };
}

/** Returns the type of the payload. */
async function answer(ports: Ports, request: IncomingMessage, response: ServerResponse): Promise<string> {
  const { signingSecret, intake, watch } = ports;
  const reading = await read(signingSecret, request);
  if ('reason' in reading) {
    watch.refused(reading.reason);
    refuse(response, reading);
    return 'other';
  }
  const { body } = reading;
  if (body.ssl_check === '1') {
    endWith(response, 200);
    return 'other';
  }
  watch.arrived(toArrival(body), readHost(request.headers));
  if (body.type === 'url_verification') {
    endWith(response, 200, { challenge: body.challenge });
    return 'other';
  }
  const { type, status, acknowledgement } = await intake(body, {
    retryNum: HTTPModuleFunctions.extractRetryNumFromHTTPRequest(request),
    retryReason: HTTPModuleFunctions.extractRetryReasonFromHTTPRequest(request),
  });
  if (status !== 200) endWith(response, status);
  else HTTPModuleFunctions.buildContentResponse(response, acknowledgement as string | object | undefined);
  return type;
}

export function refuse(response: ServerResponse, { status, reason }: Refused, body?: object): void {
  // The rest of the body is not read, so the connection cannot be used for another request.
  if (reason === 'too_large' || reason === 'too_many') response.setHeader('connection', 'close');
  if (reason === 'too_many') response.setHeader('retry-after', '1');
  endWith(response, status, body);
}

/** The parsed body of a request that Slack has signed just now; else why it is refused. */
async function read(signingSecret: string, request: IncomingMessage): Promise<{ body: Payload } | Refused> {
  const signed = await readSigned(signingSecret, request, isCertificateCheck);
  if ('reason' in signed) return signed;
  if (isCertificateCheck(signed.rawBody)) return { body: { ssl_check: '1' } };
  const buffered = Object.assign(request, signed);
  const body: unknown = parse(() => HTTPModuleFunctions.parseHTTPRequestBody(buffered));
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return isObject ? { body: body as Payload } : { status: 400, reason: 'payload' };
}

/** As `read`, but the raw body. `isExempt`: accepts short bodies that are not signed. */
export async function readSigned(
  signingSecret: string,
  request: IncomingMessage,
  isExempt?: (body: Buffer) => boolean,
): Promise<{ rawBody: Buffer } | Refused> {
  const { headers } = request;
  if (request.method !== 'POST') return { status: 405, reason: 'method' };
  const mayBeExempt = isExempt !== undefined && isShort(headers);
  // Checked before the body is buffered.
  if (!mayBeExempt && !isCurrent(headers)) return { status: 401, reason: whyUnsigned(headers) };
  try {
    const rawBody = await readBody(request, BODY_LIMIT_BYTES);
    if (mayBeExempt && isExempt(rawBody)) return { rawBody };
    const isSigned = isCurrent(headers) && isSignedBySlack(signingSecret, headers, rawBody);
    return isSigned ? { rawBody } : { status: 401, reason: whyUnsigned(headers) };
  } catch (error) {
    if (error instanceof TooManyBodiesError) return { status: 503, reason: 'too_many' };
    if (error instanceof BodyTooLargeError) return { status: 413, reason: 'too_large' };
    return { status: 400, reason: 'unreadable' };
  }
}

function toArrival(body: Payload) {
  if ('event' in body) return 'event';
  return body.type === 'url_verification' ? 'url_verification' : 'signed';
}

/** The host name that Slack sent the request to, if proxies pass it on. */
function readHost({ host, 'x-forwarded-host': forwarded }: IncomingHttpHeaders): string {
  return String(forwarded ?? host ?? '');
}

const SHORT_BYTES = 1_000;

function isShort(headers: IncomingHttpHeaders): boolean {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) < SHORT_BYTES;
}

/** Slack's check of our TLS certificate has no timestamp and is not signed; we answer it, and use nothing of it. */
function isCertificateCheck(body: Buffer): boolean {
  return body.length < SHORT_BYTES && new URLSearchParams(body.toString()).get('ssl_check') === '1';
}

function parse(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function endWith(response: ServerResponse, status: number, body?: object): void {
  if (body === undefined) response.writeHead(status).end();
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
