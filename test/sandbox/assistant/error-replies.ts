// Error answers as public deployments of this shape give them; the contract shows none.
import { randomUUID } from 'node:crypto';
import type { Reply } from '../loopback/reply.ts';
import { toHttpDate } from '../loopback/wire-faults.ts';
import { NO_LABEL, toServiceTime } from './conversation.ts';

export function buildError(status: number, code: string, message: string, headers: Record<string, string> = {}): Reply {
  const requestId = randomUUID();
  return {
    status,
    headers: { 'request-id': requestId, ...headers },
    body: {
      error: {
        code,
        message,
        innerError: { date: new Date().toISOString().slice(0, 19), 'request-id': requestId },
      },
    },
  };
}

export function buildUnauthorized(challenge: string, message: string): Reply {
  return buildError(401, 'InvalidAuthenticationToken', message, { 'www-authenticate': challenge });
}

export const EXPIRED_CHALLENGE = 'Bearer realm="assistant.sandbox", error="invalid_token"';

/** The claims that a sign-in has to satisfy after `401-claims`, as the `claims` parameter of the authorize request. */
export const DEMANDED_CLAIMS = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}';

export function buildClaimsChallenge(): Reply {
  const claims = Buffer.from(DEMANDED_CLAIMS).toString('base64');
  const challenge = `Bearer realm="assistant.sandbox", error="insufficient_claims", claims="${claims}"`;
  return buildUnauthorized(challenge, 'Continuous access evaluation resulted in a challenge.');
}

export function buildThrottled(retryAfter: string): Reply {
  return buildError(429, 'UnknownError', '', { 'retry-after': retryAfter });
}

export function buildThrottledUntil(seconds: number): Reply {
  // An HTTP-date has whole seconds: rounded up, so that the wait is never shorter than asked.
  return buildThrottled(toHttpDate(Math.ceil(Date.now() / 1000 + seconds) * 1000));
}

/** 403 whose body is a conversation; the explanation is its last message. */
export function buildUnlicensed(conversation: string): Reply {
  const now = toServiceTime(Date.now());
  const text = "You don't have a valid license to use this assistant. Ask your administrator for one.";
  const message = { id: randomUUID(), text, createdDateTime: now, adaptiveCards: [], attributions: [] };
  const body = { id: conversation, createdDateTime: now, displayName: '', state: 'active', turnCount: 0 };
  return { status: 403, body: { ...body, messages: [{ ...message, sensitivityLabel: NO_LABEL }] } };
}

export function buildHtml(status: number, title: string): Reply {
  const page = `<html><head><title>${status} ${title}</title></head><body><center><h1>${status} ${title}</h1></center></body></html>`;
  return { status, headers: { 'content-type': 'text/html' }, body: page };
}

export const GATEWAY_TIMEOUT_MESSAGE = 'upstream request timeout';
