import type { HttpClient, HttpRequest } from './http-client.ts';

type Fetch = (url: string | URL, request?: FetchRequest) => Promise<Response>;

type FetchRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

const TOTAL_TIMEOUT_MS = 10_000;

/**
 * Makes packages that take a `fetch` use our HTTP client: through the proxy, limited in time and size, without following
 * redirects. `describe`: further fields for the client.
 */
export function createFetch(
  http: Pick<HttpClient, 'send'>,
  describe: (body: unknown) => Pick<HttpRequest, 'subject' | 'isRefusal'>,
): Fetch {
  return async (url, { method, headers = {}, body, signal } = {}) => {
    const isText = typeof body === 'string' || body instanceof URLSearchParams;
    if (body && !isText) throw new TypeError('only text can be sent');
    const answer = await http.send({
      ...describe(body),
      method: method === 'POST' ? 'POST' : 'GET',
      url: String(url),
      headers,
      ...(isText && { body: body.toString() }),
      totalTimeoutMs: TOTAL_TIMEOUT_MS,
      signal,
    });
    const text = await answer.text();
    // Response throws on a body for these statuses.
    const isEmpty = [101, 204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : text, { status: answer.status, headers: toHeaders(answer.headers) });
  };
}

function toHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const single of [value ?? []].flat()) result.append(name, single);
  }
  return result;
}
