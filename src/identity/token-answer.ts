import type { CustomFetch, TokenEndpointResponse } from 'openid-client';
import type { TokenSet } from './account-link.ts';

// Without `expires_in` nobody knows; short, because a refresh too many costs less than a refused question.
const UNKNOWN_LIFE_MS = 10 * 60_000;

export function toTokenSet(answer: TokenEndpointResponse, now: number): TokenSet {
  const lifeMs = answer.expires_in === undefined ? UNKNOWN_LIFE_MS : answer.expires_in * 1000;
  return {
    accessToken: answer.access_token,
    obtainedAt: now,
    expiresAt: now + lifeMs,
    ...(answer.refresh_token !== undefined && { refreshToken: answer.refresh_token }),
  };
}

/**
 * Repairs what a token answer may lack, before openid-client refuses the whole: by then the old refresh token is spent.
 * The contract shows `access_token` only; providers send `expires_in` as text, as null, or not at all. A challenge beside
 * an error (RFC 6749 section 5.2) is left out: openid-client would read it instead of the error.
 */
export function tolerateTokenAnswers(fetch: CustomFetch): CustomFetch {
  return async (url, request) => {
    const answer = await fetch(url, request);
    const isChallenge = answer.headers.has('www-authenticate');
    const body: unknown = answer.status === 200 || isChallenge ? await readJson(answer) : undefined;
    if (!isRecord(body)) return answer;
    if (answer.status !== 200) return isFilled(body.error) ? withoutChallenge(answer, body) : answer;
    const isRefresh = request.body instanceof URLSearchParams && request.body.get('grant_type') === 'refresh_token';
    return Response.json(repair(body, isRefresh));
  };
}

function withoutChallenge({ status, headers }: Response, body: Record<string, unknown>): Response {
  const kept = new Headers(headers);
  kept.delete('www-authenticate');
  kept.set('content-type', 'application/json');
  return Response.json(body, { status, headers: kept });
}

function repair(body: Record<string, unknown>, isRefresh: boolean): Record<string, unknown> {
  const { token_type, expires_in, refresh_token, scope, id_token, ...rest } = body;
  const seconds = typeof expires_in === 'string' || typeof expires_in === 'number' ? Number(expires_in) : 0;
  return {
    ...rest,
    token_type: isFilled(token_type) ? token_type : 'Bearer',
    ...(Number.isFinite(seconds) && seconds > 0 && { expires_in: seconds }),
    ...(isFilled(refresh_token) && { refresh_token }),
    ...(isFilled(scope) && { scope }),
    // The name of the account is taken at sign-in; at a refresh an id token could only be a reason to fail.
    ...(isFilled(id_token) && !isRefresh && { id_token }),
  };
}

async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.clone().json();
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
