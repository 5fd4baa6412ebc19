// Error answers as public deployments of this shape give them; the contract shows none.
import { randomUUID } from 'node:crypto';
import type { Reply } from '../loopback/reply.ts';
import { buildMessage } from './conversation.ts';

export function buildError(status: number, code: string, message: string, headers: Record<string, string> = {}): Reply {
  const requestId = randomUUID();
  const innerError = { date: new Date().toISOString().slice(0, 19), 'request-id': requestId };
  return {
    status,
    headers: { 'request-id': requestId, ...headers },
    body: { error: { code, message, innerError } },
  };
}

const REALM = 'Bearer realm="assistant.sandbox"';

/** `challenge`: what follows the realm. */
export function buildUnauthorized(message: string, challenge = ', error="invalid_token"'): Reply {
  return buildError(401, 'InvalidAuthenticationToken', message, { 'www-authenticate': REALM + challenge });
}

/** The claims that a sign-in has to satisfy after `401-claims`, as the `claims` parameter of the authorize request. */
const DEMANDED_CLAIMS = '{"access_token":{"acrs":{"essential":true,"value":"c1"}}}';

export function buildClaimsChallenge(): Reply {
  const claims = Buffer.from(DEMANDED_CLAIMS).toString('base64');
  const message = 'Continuous access evaluation resulted in a challenge.';
  return buildUnauthorized(message, `, error="insufficient_claims", claims="${claims}"`);
}

/** 403 whose body is a conversation; the explanation is its last message. */
export function buildUnlicensed(conversation: string): Reply {
  const text = "You don't have a valid license to use this assistant. Ask your administrator for one.";
  const { references: _, ...message } = { ...buildMessage({ text }), adaptiveCards: [] };
  const head = { id: conversation, createdDateTime: message.createdDateTime, displayName: '', state: 'active' };
  return { status: 403, body: { ...head, turnCount: 0, messages: [message] } };
}

export function buildHtml(status: number, title: string): Reply {
  const page = `<html><head><title>${status} ${title}</title></head><body><center><h1>${status} ${title}</h1></center></body></html>`;
  return { status, headers: { 'content-type': 'text/html' }, body: page };
}
