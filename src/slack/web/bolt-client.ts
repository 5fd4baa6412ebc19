// For the WebClient that Slack's packages create themselves: its options, and its errors.
import { type Logger, LogLevel } from '@slack/bolt';
import { createFetch } from '../../http/fetch.ts';
import type { HttpClient } from '../../http/http-client.ts';

/**
 * By default WebClient waits for ever, retries posts for half an hour, sends the token to any address it is given, and
 * knows no proxy. No `headers` here: Bolt would use those of one team for all.
 */
export function buildClientOptions(http: Pick<HttpClient, 'send'>, apiUrl: string) {
  return {
    slackApiUrl: apiUrl,
    fetch: createFetch(http, () => ({ subject: 'bolt' })),
    timeout: 10_000,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  };
}

/** Slack's packages also throw what they log. */
export const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.INFO,
  setName: () => undefined,
};

/** Slack's code in an error of WebClient, if Slack answered. Do not log the error itself: it may hold the request. */
export function readSlackError(error: unknown): string | undefined {
  const { data } = error as { data?: { error?: unknown } };
  return typeof data?.error === 'string' ? data.error : undefined;
}
