import { type Logger, LogLevel } from '@slack/bolt';

/**
 * For what is not on the way of a turn. WebClient would otherwise wait for ever, retry posts for half an hour, and send
 * the token to any address it is given. No `headers` here: Bolt would share one team's with all.
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
