import type { Dispatcher } from 'undici';

/** A complete response. */
type WholeResponse = { status: number; headers: Dispatcher.ResponseData['headers']; body: Buffer };

/** `hasBegun`: set once the request begins to be sent. Before, no error can mean that it was processed. */
export type Sending = { hasBegun: boolean };

type WholeBounds = {
  /** The time limit from the beginning to the last byte, in ms. */
  totalTimeoutMs: number;
  /** The largest body, in bytes. */
  maxBodyBytes: number;
  /** Makes the error for a larger body. */
  tooLarge(): Error;
  sending: Sending;
  signal: AbortSignal | undefined;
};

/**
 * One exchange whose response is read as a whole. undici's `request` creates a stream, an iterator and an abort signal
 * each time, which cost a seventh of a turn's CPU time (measured). This collects the chunks directly. After the promise
 * is settled, only the connection is aborted.
 */
export function exchangeWhole(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { totalTimeoutMs, maxBodyBytes, tooLarge, sending, signal }: WholeBounds,
): Promise<WholeResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<WholeResponse>();
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let headers: WholeResponse['headers'] = {};
  let controller: Dispatcher.DispatchController | undefined;
  let broken: Error | undefined;

  function end(): void {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }

  function succeed(): void {
    end();
    const [first, ...rest] = chunks;
    resolve({ status, headers, body: first && rest.length === 0 ? first : Buffer.concat(chunks) });
  }

  /** A refusal whose body is lost still resolves: status and headers are enough. */
  function fail(error: Error): void {
    if (status >= 400 && !signal?.aborted) return succeed();
    end();
    reject(error);
  }

  /** Rejects at once, whatever the state of the connection. */
  function breakOff(reason: unknown): void {
    broken = reason instanceof Error ? reason : new DOMException('aborted', 'AbortError');
    fail(broken);
    controller?.abort(broken);
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
    },
    onResponseData(_controller, chunk) {
      size += chunk.byteLength;
      if (size > maxBodyBytes) breakOff(tooLarge());
      else chunks.push(chunk);
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
