import { createHash } from 'node:crypto';
import type { CustomFetch } from 'openid-client';
import type { HttpClient } from '../http/http-client.ts';
import { isVerdict } from './provider-errors.ts';

const TOTAL_TIMEOUT_MS = 10_000;

/** Lets openid-client speak through our HTTP client: bounded in time and size, and never following a redirect. */
export function toFetch(http: HttpClient): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await http.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      subject: toSubject(body),
      isRefusal: (_answer, text) => isVerdict(text),
      headers,
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      totalTimeoutMs: TOTAL_TIMEOUT_MS,
      signal,
    });
    const text = await answer.text();
    // A body is refused by Response where the status allows none.
    const isEmpty = [101, 204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : text, { status: answer.status, headers: toHeaders(answer.headers) });
  };
}

/**
 * Whom a request is for: the holder of a refresh token. All sign-ins count as one, because anybody can begin as many as
 * they like. The token itself is not kept.
 */
function toSubject(body: unknown): string {
  const refreshToken = body instanceof URLSearchParams ? body.get('refresh_token') : null;
  return refreshToken === null ? 'sign-ins' : createHash('sha256').update(refreshToken).digest('base64url');
}

function toHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const single of [value ?? []].flat()) result.append(name, single);
  }
  return result;
}
