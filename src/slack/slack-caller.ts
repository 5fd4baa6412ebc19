import { hash } from 'node:crypto';
import type {
  AgentsSessionsSetStatusArguments,
  AgentsSessionsSetStatusResponse,
  ChatDeleteArguments,
  ChatPostEphemeralArguments,
  ChatPostEphemeralResponse,
  ChatPostMessageArguments,
  ChatPostMessageResponse,
  ChatUpdateArguments,
  ChatUpdateResponse,
  ConversationsHistoryArguments,
  ConversationsHistoryResponse,
  ConversationsInfoArguments,
  ConversationsInfoResponse,
  ConversationsOpenArguments,
  ConversationsOpenResponse,
  ConversationsRepliesArguments,
  ConversationsRepliesResponse,
  UsersInfoArguments,
  UsersInfoResponse,
  UsersLookupByEmailArguments,
  UsersLookupByEmailResponse,
  ViewsOpenArguments,
  ViewsOpenResponse,
  ViewsUpdateArguments,
  ViewsUpdateResponse,
  WebAPICallResult,
} from '@slack/web-api';
import type { HttpClient } from '../http/http-client.ts';
import { NotSentError, OutcomeUnknownError } from '../http/http-errors.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { SLACK_FAULTS, SlackRateLimitedError, SlackRefusedError, SlackUnavailableError } from './slack-errors.ts';

/** The methods that are called within budgets, typed by @slack/web-api. */
type Methods = {
  'agents.sessions.setStatus': [AgentsSessionsSetStatusArguments, AgentsSessionsSetStatusResponse];
  'assistant.threads.setStatus': [{ channel_id: string; thread_ts: string; status: string }, WebAPICallResult];
  'chat.delete': [ChatDeleteArguments, WebAPICallResult];
  'chat.postEphemeral': [ChatPostEphemeralArguments, ChatPostEphemeralResponse];
  'chat.postMessage': [ChatPostMessageArguments, ChatPostMessageResponse];
  'chat.update': [ChatUpdateArguments, ChatUpdateResponse];
  'conversations.history': [ConversationsHistoryArguments, ConversationsHistoryResponse];
  'conversations.info': [ConversationsInfoArguments, ConversationsInfoResponse];
  'conversations.open': [ConversationsOpenArguments, ConversationsOpenResponse];
  'conversations.replies': [ConversationsRepliesArguments, ConversationsRepliesResponse];
  'users.info': [UsersInfoArguments, UsersInfoResponse];
  'users.lookupByEmail': [UsersLookupByEmailArguments, UsersLookupByEmailResponse];
  'views.open': [ViewsOpenArguments, ViewsOpenResponse];
  'views.update': [ViewsUpdateArguments, ViewsUpdateResponse];
};

export type SlackMethod = keyof Methods;

/**
 * What a call is for, which counts where Slack does not let us make all of them. `answer`: somebody waits for it, or
 * for what depends on it. `reply`: the same, but it goes at once or not at all, because when it left has to be known.
 * `notice`: a word beside an answer. `extra`: done without, at once.
 */
export type Importance = 'answer' | 'reply' | 'notice' | 'extra';

/**
 * Calls a method of Slack's Web API once: abortable, bounded in time, no retry of its own. WebClient retries posts,
 * cannot be aborted, and cost half as much CPU again on the way of a turn. `importance`: `answer` where it is not said.
 *
 * Throws SlackRefusedError, SlackRateLimitedError, SlackUnavailableError (nothing was done), or OutcomeUnknownError
 * (it may have been done).
 */
export type SlackCaller = <M extends SlackMethod>(
  method: M,
  token: string,
  args: Methods[M][0],
  importance?: Importance,
) => Promise<Methods[M][1]>;

const TIMEOUT_MS = 10_000;

/** Where Slack names no wait with a 429. */
const DEFAULT_RETRY_AFTER_MS = 5_000;

/** These answer questions in Slack's form encoding only: https://docs.slack.dev/apis/web-api/#methods_supporting_json */
const FORM_METHODS = /^(conversations\.(history|info|replies)|users\.(info|lookupByEmail))$/;

export function createSlackCaller(http: HttpClient, apiUrl: string, now: () => number): SlackCaller {
  return async (method, token, args) => {
    const { type, body } = FORM_METHODS.test(method) ? toForm(args) : toJson(args);
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const subject = toSubject(args) ?? method;
    const circuit = toCircuit(token);
    const request = { method: 'POST', url: apiUrl + method, subject, circuit, isRefusal, headers, body } as const;
    const response = await http.send({ ...request, totalTimeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
      throw error instanceof NotSentError ? new SlackUnavailableError(method, { cause: error }) : error;
    });
    if (response.status === 429) {
      const retryAfterMs = parseRetryAfter(response.headers['retry-after'], now()) ?? DEFAULT_RETRY_AFTER_MS;
      throw new SlackRateLimitedError(method, retryAfterMs);
    }
    const answer = parseAnswer(method, response.status, await response.text());
    if (!answer.ok) throw toError(method, answer.error ?? 'unknown_error');
    return answer;
  };
}

/** Slack may fail in one workspace alone, and the app has one token in each. The token itself is not kept. */
function toCircuit(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** What a call is about: a channel or a person. What Slack fails to do for one of them says little of the others. */
function toSubject(args: object): string | undefined {
  const { channel, channel_id, user, users } = args as { [name: string]: string | undefined };
  return channel ?? channel_id ?? user ?? users;
}

/** Slack's own word for why not, under whatever status. */
function isRefusal(_answer: object, body: string): boolean {
  const { error } = readAnswer(body) ?? {};
  return error !== undefined && !SLACK_FAULTS.has(error);
}

function toError(method: string, slackError: string): Error {
  if (slackError === 'ratelimited' || slackError === 'rate_limited')
    return new SlackRateLimitedError(method, DEFAULT_RETRY_AFTER_MS);
  if (SLACK_FAULTS.has(slackError)) return new OutcomeUnknownError(method, 'reset');
  return new SlackRefusedError(method, slackError);
}

function toJson(args: object): { type: string; body: string } {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(args) };
}

function toForm(args: object): { type: string; body: string } {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) if (value !== undefined) fields.set(name, String(value));
  return { type: 'application/x-www-form-urlencoded', body: fields.toString() };
}

type Answer = WebAPICallResult & { error?: string };

/** An answer that is not Slack's own JSON comes from something in between: nobody knows what became of the call. */
function parseAnswer(method: string, status: number, body: string): Answer {
  const answer = readAnswer(body);
  if (answer) return answer;
  throw new OutcomeUnknownError(`${method} (status ${status})`, 'reset');
}

/** Undefined where it is not JSON, or JSON of another kind. */
function readAnswer(body: string): Answer | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    return typeof answer === 'object' && answer !== null && 'ok' in answer ? (answer as Answer) : undefined;
  } catch {
    return undefined;
  }
}
