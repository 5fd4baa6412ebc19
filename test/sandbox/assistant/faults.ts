// The faults that a test can ask for by name, and when each is played.
import type { ServerResponse } from 'node:http';
import type { FaultQueue } from '../loopback/fault-queue.ts';
import type { Reply } from '../loopback/reply.ts';
import { ANSWER_ODDITIES, type AnswerOddity } from './answer-oddities.ts';
import type { ConversationBody } from './conversation.ts';
import type { Conversation } from './conversation-store.ts';
import * as replies from './error-replies.ts';
import type { ChatRecord } from './ledger.ts';
import { STREAM_ODDITIES, type StreamOddity } from './stream-oddities.ts';

/** Answered instead of asking the assistant: the turn does not count. */
export type RefusalKind =
  | '400-bad-request'
  | '400-authentication'
  | '400-reused'
  | '401-expired'
  | '401-claims'
  | '402'
  | '403-scopes'
  | '403-licence'
  | '403-credits'
  | '403-policy'
  | '403-consent'
  | '404-reused'
  | '409-reused'
  | '410-reused'
  | '413'
  | '429-seconds'
  | '429-date'
  | '429-quota'
  | '500-wrapped-403'
  | '503'
  | '503-retry-after';

/** The assistant did process the question, and the answer is lost on the way: the turn counts. */
export type LossKind =
  | '500'
  | '502'
  | '504-json'
  | '504-html'
  | 'reset-after-body'
  | 'cut-answer'
  | 'hang'
  | 'drip'
  | 'not-json';

/** The connection is reset before the request body is read. */
type ArrivalKind = 'reset-before-body';

export type FaultKind = ArrivalKind | RefusalKind | LossKind | AnswerOddity | StreamOddity;

/** What a fault function gets. It answers itself; `process` asks the assistant, counts the turn, returns the body. */
type Exchange = {
  readonly chat: ChatRecord;
  readonly response: ServerResponse;
  process(): Promise<ConversationBody>;
};

type FaultFunction = (exchange: Exchange) => void | Promise<void>;
export type Fault = FaultKind | FaultFunction;

export type FaultOptions = {
  /** Which requests it fits: chats (the default; both ways), streamed or synchronous ones only, or conversation creation. */
  readonly on?: 'chat' | 'stream' | 'sync' | 'create';
  readonly times?: number;
  /** Silence of `stream-silence`, pace of `drip`; default 200 and 5. */
  readonly ms?: number;
  /** Seconds of `Retry-After`; default 1. */
  readonly retryAfterS?: number;
};

export type AssistantFaults = FaultQueue<Fault, FaultOptions>;

type RefusalSubject = { readonly conversation: Conversation | undefined; readonly retryAfterS: number };

const gone = (status: number, code: string, message: string) => (subject: RefusalSubject) => {
  // 409 is a busy conversation, not a dead one.
  if (subject.conversation && status !== 409) subject.conversation.goneWith = status;
  return replies.buildError(status, code, message);
};

export const REFUSALS: Readonly<Record<RefusalKind, (subject: RefusalSubject) => Reply>> = {
  '400-bad-request': () => replies.buildError(400, 'BadRequest', 'The request is invalid.'),
  '400-authentication': () => replies.buildError(400, 'AuthenticationError', 'Error authenticating with resource'),
  '400-reused': gone(400, 'BadRequest', 'The conversation cannot be continued.'),
  '401-expired': () => replies.buildUnauthorized(replies.EXPIRED_CHALLENGE, 'Lifetime validation failed.'),
  '401-claims': () => replies.buildClaimsChallenge(),
  '402': () => replies.buildError(402, 'PaymentRequired', 'Not enough prepaid capacity was available.'),
  '403-scopes': () => replies.buildError(403, 'Forbidden', 'Required scopes = [Agent.Ask]'),
  '403-licence': ({ conversation }) => replies.buildUnlicensed(conversation?.id ?? ''),
  '403-credits': () => replies.buildError(403, 'EnforcementMessageC2', 'Not enough prepaid capacity was available.'),
  '403-policy': () => replies.buildError(403, 'DataLossPreventionViolation', 'There was a data policy violation.'),
  '403-consent': () =>
    replies.buildError(403, 'MODEL_CONSENT_DENIED', 'The model is not enabled for your organization.'),
  '404-reused': gone(404, 'NotFound', 'Conversation not found.'),
  '409-reused': gone(409, 'Conflict', 'The conversation is busy.'),
  '410-reused': gone(410, 'Gone', 'The conversation has expired.'),
  '413': () => replies.buildError(413, 'RequestEntityTooLarge', 'The request is too large.'),
  '429-seconds': ({ retryAfterS }) => replies.buildThrottled(String(retryAfterS)),
  '429-date': ({ retryAfterS }) => replies.buildThrottledUntil(retryAfterS),
  '429-quota': () => replies.buildError(429, 'QUOTA_EXCEEDED', 'The quota of your organization is used up.'),
  '500-wrapped-403': () =>
    replies.buildError(500, 'InternalServerError', 'Got Non-2xx response from IC3. Status = 403 (Forbidden)'),
  '503': () => replies.buildError(503, 'ServiceUnavailable', 'The service is unavailable.'),
  '503-retry-after': ({ retryAfterS }) =>
    replies.buildError(503, 'ServiceUnavailable', 'Try again later.', { 'retry-after': String(retryAfterS) }),
};

export const LOST_ANSWERS: Readonly<Partial<Record<LossKind, () => Reply>>> = {
  '500': () => replies.buildError(500, 'InternalServerError', 'An unexpected error occurred.'),
  '502': () => replies.buildHtml(502, 'Bad Gateway'),
  '504-json': () => replies.buildError(504, 'UnknownError', replies.GATEWAY_TIMEOUT_MESSAGE),
  '504-html': () => replies.buildHtml(504, 'Gateway Time-out'),
};

export function isRefusal(kind: Fault): kind is RefusalKind {
  return typeof kind === 'string' && kind in REFUSALS;
}

export function isAnswerOddity(kind: Fault | undefined): kind is AnswerOddity {
  return typeof kind === 'string' && kind in ANSWER_ODDITIES;
}

export function isStreamOddity(kind: Fault | undefined): kind is StreamOddity {
  return typeof kind === 'string' && kind in STREAM_ODDITIES;
}

export type Occasion = { readonly on: 'create' | 'stream' | 'sync'; readonly turnCount: number };

/** Whether a waiting fault fits this request: stream oddities need a stream, `…-reused` a conversation with turns. */
export function fitsOccasion(fault: Fault, options: FaultOptions, occasion: Occasion): boolean {
  const on = options.on ?? 'chat';
  const isWanted = on === 'chat' ? occasion.on !== 'create' : on === occasion.on;
  if (!isWanted) return false;
  if (isStreamOddity(fault)) return occasion.on === 'stream';
  if (typeof fault === 'string' && fault.endsWith('-reused')) return occasion.turnCount > 0;
  return true;
}
