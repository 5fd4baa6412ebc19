/** Where a conversation lives in Slack. `team` is the enterprise id where there is one, else the team id. */
export type Thread = { team: string; channel: string; threadTs: string };

/** The key of a thread, and of its lane. Slack ids contain no colon. */
export function toThreadKey(thread: Thread): string {
  return `${thread.team}:${thread.channel}:${thread.threadTs}`;
}
