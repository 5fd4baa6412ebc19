import { createHash } from 'node:crypto';
import type { CustomFetch } from 'openid-client';
import { createFetch } from '../http/fetch.ts';
import type { HttpClient } from '../http/http-client.ts';
import { isObject, type JsonObject, parseJson } from '../json.ts';
import { isVerdict } from './identity-errors.ts';

/** Makes openid-client use our HTTP client. */
export function toFetch(http: HttpClient): CustomFetch {
  return createFetch(http, (body) => ({ subject: toSubject(body), isRefusal: (_answer, text) => isVerdict(text) }));
}

/**
 * Normalises token responses that openid-client would reject, because by then the old refresh token is spent. The
 * contract shows only `access_token`; providers send `expires_in` as text, as null, or not at all. If a challenge comes
 * with an error (RFC 6749 section 5.2), it is removed: openid-client would read it instead of the error.
 */
export function tolerateTokenAnswers(fetch: CustomFetch): CustomFetch {
  return async (url, request) => {
    const answer = await fetch(url, request);
    const isChallenge = answer.headers.has('www-authenticate');
    const body = answer.status === 200 || isChallenge ? parseJson(await answer.clone().text()) : undefined;
    if (!isObject(body)) return answer;
    if (answer.status !== 200) return isFilled(body.error) ? withoutChallenge(answer, body) : answer;
    const isRefresh = request.body instanceof URLSearchParams && request.body.get('grant_type') === 'refresh_token';
    return Response.json(repair(body, isRefresh));
  };
}

/**
 * The subject for the circuit breaker: a hash of the refresh token. All sign-ins count as one subject, because anybody
 * can begin any number of them.
 */
function toSubject(body: unknown): string {
  const refreshToken = body instanceof URLSearchParams ? body.get('refresh_token') : null;
  return refreshToken === null ? 'sign-ins' : createHash('sha256').update(refreshToken).digest('base64url');
}

function withoutChallenge({ status, headers }: Response, body: JsonObject): Response {
  const kept = new Headers(headers);
  kept.delete('www-authenticate');
  kept.set('content-type', 'application/json');
  return Response.json(body, { status, headers: kept });
}

function repair(body: JsonObject, isRefresh: boolean): JsonObject {
  const { token_type, expires_in, refresh_token, scope, id_token, ...rest } = body;
  const seconds = typeof expires_in === 'string' || typeof expires_in === 'number' ? Number(expires_in) : 0;
  return {
    ...rest,
    token_type: isFilled(token_type) ? token_type : 'Bearer',
    ...(Number.isFinite(seconds) && seconds > 0 && { expires_in: seconds }),
    ...(isFilled(refresh_token) && { refresh_token }),
    ...(isFilled(scope) && { scope }),
    // At a refresh, checking the id token could only make a successful refresh fail.
    ...(isFilled(id_token) && !isRefresh && { id_token }),
  };
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
