import { readLiveParts } from './blocks/live-parts.ts';
import type { Mention } from './blocks/markup.ts';
import type { Message } from './records.ts';
import type { Workspace } from './workspace.ts';

/** Records whom a message of the app notifies by mentioning them. */
export function recordNotifications(workspace: Workspace, message: Message): void {
  for (const mention of readLiveParts(message).mentions) {
    workspace.notifications.push({
      channel: message.channel,
      ts: message.ts,
      kind: mention.kind,
      users: notified(workspace, message, mention),
      source: mention.source,
    });
  }
}

function notified(workspace: Workspace, message: Message, mention: Mention): string[] {
  if (mention.kind === 'user') return [mention.id];
  if (mention.kind === 'usergroup') return [...(workspace.usergroups.get(mention.id)?.users ?? [])];
  const members =
    mention.kind === 'everyone' ? [...workspace.users.keys()] : [...workspace.channel(message.channel).members];
  return members.filter((id) => id !== message.user && !workspace.users.get(id)?.isBot);
}
