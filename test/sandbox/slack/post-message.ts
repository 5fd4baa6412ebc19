import { checkBlocks } from './blocks/check-blocks.ts';
import { type Mention, readLiveParts } from './blocks/markup.ts';
import { withIds } from './make-view.ts';
import type { Block, Message } from './records.ts';
import { toSlackMessage } from './slack-message.ts';
import type { Workspace } from './workspace.ts';
import type { World } from './world.ts';

/** A message of the app that is still to be made. */
export type AppMessage = Partial<Message> & Pick<Message, 'channel' | 'text' | 'blocks'>;

/** Longer texts are cut: https://docs.slack.dev/reference/methods/chat.postMessage#truncating */
const MAX_TEXT = 40_000;

export function buildAppMessage(workspace: Workspace, draft: AppMessage): Message {
  return {
    ...draft,
    ts: workspace.identifiers.ts(),
    user: workspace.app.botUserId,
    botId: workspace.app.botId,
    appId: workspace.app.appId,
    teamId: workspace.team.id,
    text: draft.text.slice(0, MAX_TEXT),
    blocks: withIds(draft.blocks),
    ...(draft.broadcast && { subtype: 'thread_broadcast' }),
    edits: 0,
  };
}

/** Stores a message of the app, notifies people, clears the thread's status, and tells the app of its own message. */
export function postAppMessage(world: World, draft: AppMessage): Message {
  const { workspace } = world;
  const message = workspace.messages.add(buildAppMessage(workspace, draft));
  recordNotifications(workspace, message);
  if (message.ephemeralFor !== undefined) return message;
  if (message.threadTs !== undefined)
    workspace.sessions.replied({ channel: message.channel, threadTs: message.threadTs });
  if (world.echoOwnMessages) void world.events.posted(message);
  return message;
}

/** The app changes its message; people see the new one, and the app gets `message_changed`. */
export function changeAppMessage(world: World, message: Message, changes: Partial<Message>): Message {
  const previous = toSlackMessage(message);
  Object.assign(message, changes);
  if (changes.blocks) message.blocks = withIds(changes.blocks);
  message.edits += 1;
  recordNotifications(world.workspace, message);
  world.workspace.messages.changed();
  if (world.echoOwnMessages) void world.events.changed(message, previous);
  return message;
}

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

export type OldMessage = { channel: string; text: string; blocks: Block[]; threadTs?: string; ephemeralFor?: string };

export function leaveMessage({ workspace }: World, message: OldMessage): Message {
  const problems = checkBlocks(message.blocks);
  if (problems.length > 0) throw new Error(problems.join(' '));
  return workspace.messages.add(buildAppMessage(workspace, message));
}
