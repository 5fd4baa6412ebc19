import type { Dispatcher } from 'undici';
import { findErrorCode } from '../tls-fault.ts';
import {
  type BreakerOptions,
  type CircuitBreakers,
  createCircuitBreakers,
  type Exchange,
  type ExchangeOptions,
} from './circuit-breakers.ts';
import { type ConnectionFault, readConnectionFault } from './connection-fault.ts';
import { exchangeBytes, MAX_BODY_BYTES, type Sending } from './exchange.ts';
import { NotSentError, OutcomeUnknownError, ProxyError } from './http-errors.ts';
import { createOutboundAgent, type ProxySettings } from './outbound-agent.ts';

export type HttpRequest = ExchangeOptions & {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  /** A key of the person or thing that it is for. An origin counts as down if it fails for several subjects. */
  subject: string;
  /** Whether a 5xx response is about the subject alone. Default: it never is. */
  isRefusal?(answer: Pick<HttpResponse, 'status' | 'headers'>, body: string): boolean;
  /** Whether another 5xx response may be about the subject alone. Default: it may not. */
  mayBeRefusal?(answer: Pick<HttpResponse, 'status' | 'headers'>, body: string): boolean;
  headers?: Record<string, string>;
  body?: string;
  /** The time limit of the whole exchange, in ms. A limit per chunk would never end a slow drip of data. */
  totalTimeoutMs: number;
  /** The longest silence, in ms: until the first byte, and between two chunks. Default: only the total limit. */
  idleTimeoutMs?: number;
  /** The largest body, in bytes. Default: 4 MiB. A stream of snapshots is larger than any single answer. */
  maxBodyBytes?: number;
  /** True: `send` returns before the body has arrived. Otherwise it waits for the whole body. */
  isStreamed?: boolean;
  signal?: AbortSignal | undefined;
};

export type HttpResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body in UTF-8. Call once. Throws OutcomeUnknownError if it breaks off or is too large. */
  text(): Promise<string>;
  /** The body in UTF-8 as it arrives. Call once. The same errors. */
  chunks(): AsyncIterable<string>;
};

export type HttpClient = {
  /** Throws NotSentError (certainly not processed) or OutcomeUnknownError. A response of any status resolves. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** How long the circuit breaker still blocks this subject at this URL's origin, in ms; 0: not at all. */
  pausedMs(url: string, subject: string): number;
  close(): Promise<void>;
};

export type HttpClientOptions = BreakerOptions & {
  proxies?: ProxySettings;
  /** Called whenever a connection is not made. */
  onFault?(origin: string, fault: ConnectionFault): void;
};

const UTF8 = new TextDecoder();

/** One client per process; connections are pooled per origin. Never retries or follows redirects. */
export function createHttpClient({ proxies, onFault, ...options }: HttpClientOptions = {}): HttpClient {
  const breakers = createCircuitBreakers(options);
  const agent = createOutboundAgent(proxies);
  return {
    send: (request) =>
      send(agent, breakers, request).catch((error: unknown) => {
        const fault = readConnectionFault(error);
        if (fault) onFault?.(new URL(request.url).origin, fault);
        throw error;
      }),
    pausedMs: (url, subject) => breakers.pausedMs(new URL(url).origin, subject),
    close: () => agent.destroy(),
  };
}

async function send(agent: Dispatcher, breakers: CircuitBreakers, request: HttpRequest): Promise<HttpResponse> {
  const url = new URL(request.url);
  const exchange = breakers.begin(url.origin, request.subject, request);
  try {
    const response = await receive(agent, url, request, exchange);
    const body = isFailure(response) ? await response.text() : undefined;
    if (body === undefined || request.isRefusal?.(response, body)) exchange.served();
    else exchange.failed(request.mayBeRefusal?.(response, body));
    return response;
  } catch (error) {
    reportError(exchange, error);
    throw error;
  }
}

/** Retry-After and 501 count as responses, not as failures of the origin. */
function isFailure({ status, headers }: HttpResponse): boolean {
  return status >= 500 && status !== 501 && headers['retry-after'] === undefined;
}

function reportError(exchange: Exchange, error: unknown): void {
  if (error instanceof NotSentError) exchange.failed();
  else if (!(error instanceof OutcomeUnknownError) || error.reason === 'aborted') exchange.broken();
  else if (error.reason === 'too_large') exchange.served();
  else exchange.failed();
}

async function receive(agent: Dispatcher, url: URL, request: HttpRequest, exchange: Exchange): Promise<HttpResponse> {
  const { totalTimeoutMs, maxBodyBytes = MAX_BODY_BYTES, isStreamed = false, signal } = request;
  const tooLarge = () => new OutcomeUnknownError(url.origin, 'too_large');
  const sending = { hasBegun: false };
  const bounds = { isStreamed, totalTimeoutMs, maxBodyBytes, tooLarge, sending, signal };
  const toError = (error: unknown) => toHttpError(url.origin, error, { signal, ...sending });
  try {
    const { status, headers, body } = await exchangeBytes(agent, toDispatchOptions(url, request), bounds);
    if (Buffer.isBuffer(body)) return toWhole(status, headers, UTF8.decode(body));
    const chunks = () =>
      decode(body, (cause) => {
        const error = toError(cause);
        reportError(exchange, error);
        return error;
      });
    return { status, headers, chunks, text: () => join(chunks()) };
  } catch (error) {
    throw toError(error);
  }
}

function toWhole(status: number, headers: HttpResponse['headers'], text: string): HttpResponse {
  return {
    status,
    headers,
    text: async () => text,
    async *chunks() {
      yield text;
    },
  };
}

function toDispatchOptions(url: URL, request: HttpRequest): Dispatcher.DispatchOptions {
  // 0: no timer in undici. The whole exchange has one already.
  const idleTimeoutMs = request.idleTimeoutMs ?? 0;
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method,
    headers: request.headers ?? {},
    body: request.body ?? null,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
  };
}

/** `toError`: called if the body does not arrive. */
async function* decode(body: AsyncIterable<Buffer>, toError: (cause: unknown) => Error): AsyncIterable<string> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw toError(cause);
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}

async function join(chunks: AsyncIterable<string>): Promise<string> {
  let whole = '';
  for await (const chunk of chunks) whole += chunk;
  return whole;
}

type Sent = Sending & Pick<HttpRequest, 'signal'>;

function toHttpError(origin: string, error: unknown, { signal, hasBegun }: Sent): Error {
  if (error instanceof OutcomeUnknownError) return error;
  if (signal?.aborted) return new OutcomeUnknownError(origin, 'aborted', { cause: error });
  // An argument that undici refuses is our bug, not a transport error.
  if (error instanceof Error && codeOf(error) === 'UND_ERR_INVALID_ARG') return error;
  if (!hasBegun) return new NotSentError(origin, { cause: error, reason: toReason(error) });
  return new OutcomeUnknownError(origin, isTimeout(error) ? 'timeout' : 'reset', { cause: error });
}

function toReason(error: unknown): string {
  return error instanceof ProxyError ? error.message : findErrorCode(error);
}

function isTimeout(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  return name === 'TimeoutError' || ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
