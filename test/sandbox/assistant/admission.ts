// Who may come in, and with which body: every check that is made before the assistant is asked.
import type { IncomingMessage } from 'node:http';
import { isJsonRequest, parseJson, type Reply, readRequestText } from '../loopback/reply.ts';
import { ASSISTANT_SCOPE, toAudience } from '../loopback/scopes.ts';
import { readBearerToken, type TokenHolder } from '../loopback/token-holder.ts';
import type { Conversation } from './conversation-store.ts';
import { buildError, buildUnauthorized, EXPIRED_CHALLENGE } from './error-replies.ts';
import { REFUSALS } from './faults.ts';
import type { World } from './world.ts';

export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reply: Reply };

const refuse = (reply: Reply): { ok: false; reply: Reply } => ({ ok: false, reply });

export async function checkToken(world: World, request: IncomingMessage): Promise<Checked<TokenHolder>> {
  const token = readBearerToken(request);
  if (token === undefined) {
    return refuse(buildUnauthorized('Bearer realm="assistant.sandbox"', 'Access token is empty.'));
  }
  const holder = await world.verifyToken(token);
  if (holder === undefined) return refuse(buildUnauthorized(EXPIRED_CHALLENGE, 'Lifetime validation failed.'));
  const scopes = holder.scope.split(' ');
  if (!scopes.some((scope) => scope.startsWith(toAudience(ASSISTANT_SCOPE)))) {
    return refuse(buildUnauthorized(EXPIRED_CHALLENGE, 'Access token validation failure. Invalid audience.'));
  }
  if (holder.isAppOnly === true || !scopes.includes(ASSISTANT_SCOPE)) {
    return refuse(buildError(403, 'Forbidden', 'Required scopes = [Agent.Ask]'));
  }
  return { ok: true, value: holder };
}

export async function readJsonBody(request: IncomingMessage): Promise<Checked<unknown>> {
  const text = await readRequestText(request);
  if (text === undefined) return refuse(buildError(413, 'RequestEntityTooLarge', 'The request is too large.'));
  if (!isJsonRequest(request)) {
    return refuse(buildError(415, 'UnsupportedMediaType', 'Content-Type must be application/json.'));
  }
  const parsed = parseJson(text);
  return parsed.ok ? parsed : refuse(buildError(400, 'BadRequest', 'The body is not JSON.'));
}

/** The rights of this person in this conversation, and whether it still takes questions. */
export function checkConversation(world: World, id: string, subject: string): Checked<Conversation> {
  const conversation = world.conversations.get(id);
  if (conversation === undefined) return refuse(buildError(404, 'NotFound', 'Conversation not found.'));
  if (conversation.owner !== subject && world.access.others !== 'allowed') {
    return refuse(
      world.access.others === 'forbidden'
        ? buildError(403, 'Forbidden', 'The conversation belongs to another user.')
        : buildError(404, 'NotFound', 'Conversation not found.'),
    );
  }
  const refusal = world.access.unlicensed.get(subject);
  if (refusal) return refuse(REFUSALS[refusal]({ conversation, retryAfterS: 0 }));
  if (conversation.goneWith !== undefined) {
    return refuse(buildError(conversation.goneWith, 'NotFound', 'The conversation cannot be continued.'));
  }
  if (conversation.state !== 'active') {
    return refuse(buildError(400, 'BadRequest', 'The assistant has disengaged from this conversation.'));
  }
  return { ok: true, value: conversation };
}
