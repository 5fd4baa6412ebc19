import { type AssistantAnswer, toAnswer } from './assistant-answer.ts';
import { AssistantOutcomeUnknownError } from './assistant-errors.ts';
import { parseConversation } from './conversation-body.ts';
import { dropEcho } from './echo.ts';
import { isObject, parseJson } from './json.ts';
import type { ServiceTrace } from './service-trace.ts';

/** Reads a 2xx body that came in one piece. Throws AssistantOutcomeUnknownError where it holds no conversation. */
export function parseWholeAnswer(body: string, question: string, trace: ServiceTrace): AssistantAnswer {
  const value = parseJson(body);
  if (isObject(value) && isObject(value.error)) throw new AssistantOutcomeUnknownError('service_error', trace);
  const conversation = parseConversation(value);
  if (!conversation?.messages) throw new AssistantOutcomeUnknownError('unreadable', trace);
  const context = { question, isIntermediate: conversation.isIntermediate, seen: new Set<string>() };
  const { replies } = dropEcho(conversation.messages, context);
  return toAnswer({ ...conversation, replies, partial: false });
}
