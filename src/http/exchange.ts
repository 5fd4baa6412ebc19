import type { Dispatcher } from 'undici';

/** `body`: the whole body, or its chunks as they arrive, which are read once. */
type Received = {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  body: Buffer | AsyncIterable<Buffer>;
};

/** `hasBegun`: set once the request begins to be sent. Before, no error can mean that it was processed. */
export type Sending = { hasBegun: boolean };

type Bounds = {
  /** True: resolves before the body has arrived, unless the status is 5xx. */
  isStreamed: boolean;
  /** The time limit from the beginning to the last byte, in ms. */
  totalTimeoutMs: number;
  /** The largest body, in bytes. */
  maxBodyBytes: number;
  /** Makes the error for a larger body. */
  tooLarge(): Error;
  sending: Sending;
  signal: AbortSignal | undefined;
};

/** Our own limit, to protect memory. Regular responses are much smaller. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The most chunks of a stream that wait for their reader. Each has up to 64 KB. */
const MOST_UNREAD = 16;

/**
 * One exchange. undici's `request` creates a stream, an iterator and an abort signal each time, which cost a seventh of a
 * turn's CPU time (measured). This collects the chunks directly. After the promise is settled and the body is over, only
 * the connection is aborted.
 */
export function exchangeBytes(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { isStreamed, totalTimeoutMs, maxBodyBytes, tooLarge, sending, signal }: Bounds,
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const chunks: Buffer[] = [];
  let limit = maxBodyBytes;
  let size = 0;
  let status = 0;
  let headers: Received['headers'] = {};
  let controller: Dispatcher.DispatchController | undefined;
  let broken: Error | undefined;
  let isOver = false;
  /** Set once the chunks are handed out. */
  let wakeReader: (() => void) | undefined;

  function end(): void {
    isOver = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    wakeReader?.();
  }

  function succeed(): void {
    end();
    if (wakeReader) return;
    const [first, ...rest] = chunks;
    resolve({ status, headers, body: first && rest.length === 0 ? first : Buffer.concat(chunks) });
  }

  /** A refusal whose body is lost still resolves: status and headers are enough. */
  function fail(error: Error): void {
    if (status >= 400 && !wakeReader && !signal?.aborted) return succeed();
    broken ??= error;
    end();
    reject(error);
  }

  /** Rejects at once, whatever the state of the connection. */
  function breakOff(reason: unknown): void {
    broken = reason instanceof Error ? reason : new DOMException('aborted', 'AbortError');
    if (wakeReader) chunks.length = 0;
    fail(broken);
    controller?.abort(broken);
  }

  async function* read(): AsyncIterable<Buffer> {
    try {
      while (true) {
        for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) yield chunk;
        if (broken) throw broken;
        if (isOver) return;
        const more = Promise.withResolvers<void>();
        wakeReader = more.resolve;
        controller?.resume();
        await more.promise;
      }
    } finally {
      if (!isOver) breakOff(new Error('the reader has stopped'));
    }
  }

  const onAbort = () => breakOff(signal?.reason);
  const timer = setTimeout(() => breakOff(new DOMException('too slow', 'TimeoutError')), totalTimeoutMs).unref();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) {
    onAbort();
    return promise;
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started;
      // Aborted while waiting for a connection: nothing must be sent.
      if (broken) started.abort(broken);
      else sending.hasBegun = true;
    },
    onResponseStart(_controller, code, received) {
      status = code;
      headers = received;
      if (status >= 500) limit = Math.min(limit, MAX_BODY_BYTES);
      // Below 200 it is only the announcement of a response.
      if (!isStreamed || status < 200 || status >= 500) return;
      wakeReader = () => undefined;
      resolve({ status, headers, body: read() });
    },
    onResponseData(receiving, chunk) {
      size += chunk.byteLength;
      if (size > limit) return breakOff(tooLarge());
      chunks.push(chunk);
      if (!wakeReader) return;
      if (chunks.length >= MOST_UNREAD) receiving.pause();
      wakeReader();
    },
    onResponseEnd: succeed,
    onResponseError: (_controller, error) => fail(error),
  };
  try {
    dispatcher.dispatch(options, handler);
  } catch (error) {
    // For example options that undici refuses: the timer and the listener must end too.
    fail(error instanceof Error ? error : new Error('the request could not be sent', { cause: error }));
  }
  return promise;
}
