import type { WebAPICallResult } from '@slack/web-api';
import type { HttpClient } from '../../http/http-client.ts';
import { NotSentError, OutcomeUnknownError, parseRetryAfter } from '../../http/http-errors.ts';
import { isObject, parseJson } from '../../json.ts';
import type { Log } from '../../log.ts';
import { inSpan } from '../../tracing.ts';
import type { TokenBuckets } from './buckets.ts';
import { withBudgets } from './budgets.ts';
import { METHODS, type Method } from './limits.ts';
import type { CallWithToken, Credentials, SlackMethod } from './methods.ts';
import {
  MOVING,
  SLACK_FAULTS,
  SlackRateLimitedError,
  SlackRefusedError,
  SlackUnavailableError,
  toCallCode,
} from './slack-errors.ts';

type ClientPorts = {
  http: HttpClient;
  /** SLACK_API_URL with a slash at the end. */
  apiUrl: string;
  /** Count the calls of all who share them. Without buckets, calls are not counted. */
  buckets?: TokenBuckets | undefined;
  /** Called after every call with its method, and `ok` or the code of the error. */
  onCall?(method: string, code: string): void;
  now(): number;
  log: Log;
};

const TIMEOUT_MS = 10_000;

/** For a 429 without Retry-After. */
const DEFAULT_RETRY_AFTER_MS = 5_000;

/**
 * Used instead of WebClient of @slack/web-api, which retries posts, cannot be aborted, and made a turn cost 50 % more
 * CPU (measured).
 */
export function createSlackClient(ports: ClientPorts): CallWithToken {
  const { http, apiUrl, buckets, onCall, now } = ports;
  const call: CallWithToken = async (method, by, args, _importance, signal) => {
    const request = { ...toRequest(method, by, args), url: apiUrl + method, signal };
    try {
      const answer = await inSpan(`slack ${method}`, { kind: 'call' }, () => send(http, method, request, now));
      onCall?.(method, 'ok');
      return answer;
    } catch (error) {
      onCall?.(method, toCallCode(error));
      throw error;
    }
  };
  return buckets ? withBudgets(call, { ...ports, buckets }) : call;
}

function toRequest(method: SlackMethod, { workspace, botToken }: Credentials, args: object) {
  const { isForm }: Method = METHODS[method];
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8';
  return {
    method: 'POST',
    // Slack may fail in one workspace alone.
    circuit: workspace,
    subject: toSubject(args) ?? method,
    isRefusal,
    headers: { ...(botToken && { authorization: `Bearer ${botToken}` }), 'content-type': type },
    body: isForm ? toForm(args) : JSON.stringify(args),
    totalTimeoutMs: TIMEOUT_MS,
  } as const;
}

async function send(
  http: HttpClient,
  method: SlackMethod,
  request: Parameters<HttpClient['send']>[0],
  now: () => number,
): Promise<Answer> {
  const response = await http.send(request).catch((error: unknown) => {
    throw error instanceof NotSentError ? new SlackUnavailableError(method, { cause: error }) : error;
  });
  if (response.status === 429) {
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], now()) ?? DEFAULT_RETRY_AFTER_MS;
    throw new SlackRateLimitedError(method, retryAfterMs);
  }
  const answer = readAnswer(await response.text());
  if (answer?.ok === false) throw toError(method, answer.error ?? 'unknown_error');
  const { gives = 'ok' }: Method = METHODS[method];
  // It is not Slack's JSON, but from something in between, or lacks what was asked for: the outcome is unknown.
  if (!answer?.[gives]) throw new OutcomeUnknownError(`${method} (status ${response.status})`, 'reset');
  return answer;
}

/** The channel or person of a call. If Slack fails for one of them, the others may still work. */
function toSubject(args: object): string | undefined {
  const { channel, channel_id, user, users } = args as { [name: string]: string | undefined };
  return channel ?? channel_id ?? user ?? users;
}

/** Whether Slack itself refused the call, whatever the HTTP status. */
function isRefusal(_answer: object, body: string): boolean {
  const { error } = readAnswer(body) ?? {};
  return error !== undefined && !SLACK_FAULTS.has(error);
}

function toError(method: string, slackError: string): Error {
  if (slackError === 'ratelimited' || slackError === 'rate_limited')
    return new SlackRateLimitedError(method, DEFAULT_RETRY_AFTER_MS);
  if (MOVING.has(slackError)) return new SlackUnavailableError(method);
  if (SLACK_FAULTS.has(slackError)) return new OutcomeUnknownError(method, 'reset');
  return new SlackRefusedError(method, slackError);
}

function toForm(args: object): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) if (value !== undefined) fields.set(name, String(value));
  return fields.toString();
}

type Answer = WebAPICallResult & { error?: string; [field: string]: unknown };

/** Undefined if it is not JSON of the expected kind. */
function readAnswer(body: string): Answer | undefined {
  const answer = parseJson(body);
  return isObject(answer) && 'ok' in answer ? (answer as unknown as Answer) : undefined;
}
