import type { Message } from './records.ts';
import type { Workspace } from './workspace.ts';

/** Without a thread: the channel's own messages. With one: its root and replies. Oldest first, with what only they see. */
export function seenBy(
  workspace: Workspace,
  userId: string,
  place: { channel: string; threadTs?: string | undefined },
): Message[] {
  const { channel, threadTs } = place;
  requireMembership(workspace, userId, channel);
  const { messages } = workspace;
  const shared = threadTs === undefined ? messages.inChannel(channel) : messages.inThread(channel, threadTs);
  const own = messages
    .ephemerals(channel)
    .filter((message) => message.ephemeralFor === userId && !message.hidden && message.threadTs === threadTs);
  return [...shared, ...own].sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

export function requireMembership(workspace: Workspace, userId: string, channel: string): void {
  if (!workspace.channel(channel).members.has(userId)) throw new Error(`${userId} is not in ${channel}.`);
}
