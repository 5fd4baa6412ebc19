/** Slack's own word in what WebClient throws, where it is an answer of Slack; the error itself may hold the request. */
export function readSlackError(error: unknown): string | undefined {
  const { data } = error as { data?: { error?: unknown } };
  return typeof data?.error === 'string' ? data.error : undefined;
}
