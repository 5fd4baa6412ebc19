// For the client that Bolt makes itself, of which we only see the options and the errors.
import { type Logger, LogLevel } from '@slack/bolt';

/**
 * WebClient would otherwise wait for ever, retry posts for half an hour, and send the token to any address it is given.
 * No `headers` here: Bolt would share one team's with all.
 */
export const CLIENT_OPTIONS = {
  timeout: 10_000,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  allowAbsoluteUrls: false,
};

/** What Slack's packages would print is in what they throw. */
export const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.INFO,
  setName: () => undefined,
};

/** Slack's own word in what WebClient throws, where it is an answer of Slack; the error itself may hold the request. */
export function readSlackError(error: unknown): string | undefined {
  const { data } = error as { data?: { error?: unknown } };
  return typeof data?.error === 'string' ? data.error : undefined;
}
