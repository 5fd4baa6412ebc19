// Maps responses other than 2xx to errors, by status, headers and code. Message text is used only if a status or the
// missing scopes are nowhere else.
import type { Trace } from '../errors.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { NotSentError, OutcomeUnknownError, parseRetryAfter, readTrace } from '../http/http-errors.ts';
import { isObject, type JsonObject, parseJson, toObject } from '../json.ts';
import {
  AssistantForbiddenError,
  AssistantOutcomeUnknownError,
  AssistantRefusedError,
  AssistantRejectedError,
  AssistantStoppedError,
  AssistantThrottledError,
  AssistantUnauthorizedError,
  AssistantUnreachableError,
  ConversationBusyError,
  ConversationGoneError,
  type ForbiddenReason,
} from './assistant-errors.ts';
import { parseConversation, readText } from './conversation-body.ts';

/** `reused`: the conversation was used before, so the service may have forgotten it. */
export type AskContext = { reused: boolean; now: number };

type Answer = Pick<HttpResponse, 'status' | 'headers'>;

type Refusal = Answer & {
  body: unknown;
  error: JsonObject;
  trace: Trace;
};

/** For 429 without Retry-After. Our own choice: the service publishes no value. */
const DEFAULT_WAIT_MS = 5_000;

/** Error bodies have a few hundred bytes. Longer bodies, such as pages of a gateway, are not read. */
const MAX_REFUSAL_CHARACTERS = 64 * 1024;

/** The body of a refusal; empty if it does not arrive, because the status is enough. */
export async function readRefusalBody(response: HttpResponse): Promise<string> {
  let body = '';
  try {
    for await (const chunk of response.chunks()) {
      body += chunk;
      if (body.length > MAX_REFUSAL_CHARACTERS) return '';
    }
    return body;
  } catch (error) {
    if (error instanceof OutcomeUnknownError) return '';
    throw error;
  }
}

/** Tells the HTTP client whether a failure concerns one person or everybody. */
export const WHOSE_FAILURE = { isRefusal, mayBeRefusal };

/** Whether a response is about this person or question. */
function isRefusal(answer: Answer, body: string): boolean {
  return !(toAskError(answer, body, { reused: false, now: 0 }) instanceof AssistantOutcomeUnknownError);
}

/**
 * Whether a response may be about this person: a 500 with an error in the service's format. The service sends the same
 * when it fails for everybody. Other failures come from a proxy in front of it.
 */
function mayBeRefusal(answer: Answer, body: string): boolean {
  const { error } = readRefusal(answer, body);
  return answer.status === 500 && (readText(error, 'code') !== undefined || readText(error, 'message') !== undefined);
}

export function toAskError(response: Answer, body: string, { reused, now }: AskContext): Error {
  const refusal = readRefusal(response, body);
  return (
    toAccessError(refusal) ??
    toWaitError(refusal, now) ??
    toConversationError(refusal, reused) ??
    (isUnprocessed(refusal.status)
      ? new AssistantRejectedError(refusal.trace, ![400, 422].includes(refusal.status))
      : new AssistantOutcomeUnknownError(isTimeout(refusal.status) ? 'timeout' : 'service_error', refusal.trace))
  );
}

/** Maps transport errors to errors of this client. Other errors are passed on unchanged. */
export function toAskFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof NotSentError) {
    const options = { cause: error, retryAfterMs: error.retryAfterMs };
    return new AssistantUnreachableError('no connection to the assistant service', undefined, options);
  }
  if (!(error instanceof OutcomeUnknownError)) return error;
  if (error.reason === 'aborted') return new AssistantStoppedError({ cause: signal?.reason });
  return new AssistantOutcomeUnknownError(error.reason, undefined, { cause: error });
}

/** Like toAskFailure, for creating a conversation: no question was asked, so an unknown outcome may be retried. */
export function toCreateFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  const cause = toAskFailure(error, signal);
  if (cause instanceof AssistantRejectedError) return new AssistantRejectedError(cause.trace ?? {}, true);
  if (!(cause instanceof AssistantOutcomeUnknownError)) return cause;
  return new AssistantUnreachableError(`no conversation was created: ${cause.reason}`, cause.trace, { cause });
}

function readRefusal({ status, headers }: Answer, text: string): Refusal {
  const body = parseJson(text);
  const error = toObject(toObject(body).error);
  return { status, headers, body, error, trace: readTrace({ status, headers }, error) };
}

function toAccessError({ status, headers, body, error, trace }: Refusal): Error | undefined {
  const challenge = [headers['www-authenticate'] ?? []].flat().join(', ');
  const message = readText(error, 'message') ?? '';
  if (status === 401) return new AssistantUnauthorizedError(trace);
  // A backend of the service refused, and its status is in this sentence only.
  if (status === 500 && /\bStatus = 403\b/.test(message)) return new AssistantForbiddenError('other', undefined, trace);
  const reason = readReason(error);
  // Waiting does not help, unless the service says how long.
  const isUsedUp = status === 402 || (status === 429 && reason === 'credits' && !headers['retry-after']);
  if (isUsedUp) return new AssistantForbiddenError('credits', undefined, trace);
  if (status !== 403) return undefined;
  // The body is a conversation whose last message tells the person why they may not ask.
  const explanation = parseConversation(body)?.messages?.at(-1)?.text.trim();
  if (explanation) return new AssistantForbiddenError(toReason(explanation), explanation, trace);
  const isScope = /\berror="?insufficient_scope\b/.test(challenge) || /\bRequired scopes = /.test(message);
  return new AssistantForbiddenError(reason ?? (isScope ? 'consent' : 'other'), undefined, trace);
}

/** A failure that the service reports inside a 2xx response. */
export function toReportedFailure(error: JsonObject, trace: Trace): Error {
  const reason = readReason(error);
  return reason === undefined
    ? new AssistantOutcomeUnknownError('service_error', trace)
    : new AssistantForbiddenError(reason, undefined, trace);
}

/**
 * Codes that services of this kind document, in lower case:
 * https://learn.microsoft.com/microsoft-copilot-studio/agents-experience/troubleshooting-error-codes and
 * https://learn.microsoft.com/troubleshoot/power-platform/copilot-studio/authoring/error-codes
 */
const REASONS: Record<string, ForbiddenReason> = {
  quota_exceeded: 'credits',
  enforcementmessagec2: 'credits',
  cross_geo_not_allowed: 'policy',
  datalosspreventionviolation: 'policy',
  model_consent_denied: 'consent',
};

function readReason(error: JsonObject): ForbiddenReason | undefined {
  return codesOf(error)
    .map((code) => REASONS[String(code).toLowerCase()])
    .find((reason) => reason);
}

function codesOf({ code, innerError }: JsonObject): unknown[] {
  return [code, isObject(innerError) ? innerError.code : undefined];
}

/** The reason, from the service's sentence for the person. They see that sentence, too. */
const ABOUT: [RegExp, ForbiddenReason][] = [
  [/\blicen[cs]/i, 'licence'],
  [/\bcredits?\b|\bquota\b|\busage limit\b|\bbilling\b/i, 'credits'],
  [/\bconsent/i, 'consent'],
  [/\bpolic(?:y|ies)\b/i, 'policy'],
];

function toReason(explanation: string): ForbiddenReason {
  return ABOUT.find(([words]) => words.test(explanation))?.[1] ?? 'other';
}

function toWaitError({ status, headers, trace }: Refusal, now: number): Error | undefined {
  const waitMs = parseRetryAfter(headers['retry-after'], now);
  if (status === 429) return new AssistantThrottledError(waitMs ?? DEFAULT_WAIT_MS, trace);
  return status === 503 && waitMs !== undefined ? new AssistantThrottledError(waitMs, trace) : undefined;
}

function toConversationError({ status, error, trace }: Refusal, reused: boolean): Error | undefined {
  if (status === 400 && codesOf(error).includes('AuthenticationError'))
    return new AssistantRefusedError('assistant_account', trace);
  if (reused && [400, 404, 410].includes(status)) return new ConversationGoneError(trace);
  if (status === 409) return new ConversationBusyError(trace);
  return status === 413 ? new AssistantRefusedError('question_too_long', trace) : undefined;
}

/** 501: the operation does not exist. */
function isUnprocessed(status: number): boolean {
  return status === 501 || (status < 500 && !isTimeout(status));
}

function isTimeout(status: number): boolean {
  return status === 408 || status === 504;
}
