import { isObject, type JsonObject, toObject } from '../json.ts';

/** The body of a chat answer and of every stream event. Parsed leniently, because the contract does not specify it. */
export type ConversationSnapshot = {
  /** It takes no more questions. The field is `status` after creating and `state` in a chat. */
  isClosed: boolean;
  turnCount: number | undefined;
  /** A display name of the service marks every event but the last. */
  isIntermediate: boolean;
  /** Undefined if the body has no messages at all: it is a conversation, but no answer. */
  messages: ServiceMessage[] | undefined;
};

/** Fields of type `unknown` are parsed only in messages that are shown. */
export type ServiceMessage = {
  id: string | undefined;
  text: string;
  attributions: unknown;
  references: unknown;
  sensitivityLabel: unknown;
};

const INTERMEDIATE = 'Intermediate Conversation Update';

/** Whether an event is a snapshot that the next one replaces. A text cannot imitate this: its quotes are escaped. */
export function isIntermediateJson(json: string): boolean {
  return json.includes(`"displayName":"${INTERMEDIATE}"`);
}

/** Undefined if the value is no conversation. */
export function parseConversation(value: unknown): ConversationSnapshot | undefined {
  if (!isObject(value)) return undefined;
  const state = readText(value, 'state') ?? readText(value, 'status');
  const isClosed = state === 'disengagedForRai';
  // A conversation that the service closes may come without messages.
  const messages = parseMessages(value) ?? (isClosed ? [] : undefined);
  const snapshot = {
    isClosed,
    turnCount: typeof value.turnCount === 'number' ? value.turnCount : undefined,
    isIntermediate: value.displayName === INTERMEDIATE,
    messages,
  };
  const isConversation = messages !== undefined || state !== undefined || snapshot.turnCount !== undefined;
  return isConversation ? snapshot : undefined;
}

/** Undefined if the value has no id that can stand in a path. */
export function parseConversationId(value: unknown): string | undefined {
  const { id } = toObject(value);
  // `.` and `..` would be resolved as path segments, and half a surrogate pair cannot be encoded.
  return typeof id !== 'string' || ['', '.', '..'].includes(id) || !id.isWellFormed() ? undefined : id;
}

function parseMessages(body: JsonObject): ServiceMessage[] | undefined {
  if (Array.isArray(body.messages) && (body.messages.length > 0 || typeof body.content !== 'string')) {
    return body.messages.filter(isObject).map(toMessage);
  }
  return typeof body.content === 'string' ? [toMessage({ text: body.content })] : undefined;
}

function toMessage(message: JsonObject): ServiceMessage {
  return {
    id: readText(message, 'id'),
    text: readText(message, 'text') ?? readText(message, 'content') ?? '',
    attributions: message.attributions,
    references: message.references,
    sensitivityLabel: message.sensitivityLabel,
  };
}

/** The field if it is a non-empty string. Half a surrogate pair is replaced: Slack refuses the message that contains it. */
export function readText(object: JsonObject, field: string): string | undefined {
  const value = object[field];
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
}
