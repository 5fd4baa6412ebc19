import type { Channel, Message } from '../records.ts';
import type { World } from '../world.ts';
import { SlackApiError } from './method.ts';

/** The scope family of a kind of channel: `channels:read`, `groups:history` and so on. */
const FAMILY = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' } as const;

/** A channel that the app may know of. A private one without the app looks as if it did not exist. */
export function knownChannel(world: World, id: string): Channel {
  const channel = world.workspace.channels.get(id);
  const isMember = channel?.members.has(world.workspace.app.botUserId);
  if (!channel || (channel.kind !== 'public' && !isMember)) throw new SlackApiError('channel_not_found');
  return channel;
}

export function memberChannel(world: World, id: string): Channel {
  const channel = knownChannel(world, id);
  if (!channel.members.has(world.workspace.app.botUserId)) throw new SlackApiError('not_in_channel');
  return channel;
}

/** A channel to post into; a person's id stands for the DM with them. */
export function postableChannel(world: World, id: string): Channel {
  if (world.workspace.users.has(id)) return dmWith(world, id);
  const channel = knownChannel(world, id);
  if (channel.isArchived) throw new SlackApiError('is_archived');
  const isMember = channel.members.has(world.workspace.app.botUserId);
  if (!isMember && !world.registration.scopes.has('chat:write.public')) throw new SlackApiError('not_in_channel');
  return channel;
}

export function dmWith(world: World, userId: string): Channel {
  const user = world.workspace.users.get(userId);
  if (!user) throw new SlackApiError('user_not_found');
  if (user.deleted) throw new SlackApiError('user_disabled');
  if (user.isBot) throw new SlackApiError('cannot_dm_bot');
  return world.workspace.dmOf(userId);
}

export function knownMessage(world: World, channel: string, ts: string): Message {
  const message = world.workspace.messages.find(knownChannel(world, channel).id, ts);
  if (!message) throw new SlackApiError('message_not_found');
  return message;
}

/** The root of the thread that an argument names. */
export function existingRoot(world: World, channel: string, threadTs: string): Message {
  const message = world.workspace.messages.find(channel, threadTs);
  if (!message) throw new SlackApiError('thread_not_found');
  if (message.threadTs !== undefined) throw new SlackApiError('cannot_reply_to_message');
  return message;
}

export function requireChannelScope(world: World, channel: Channel, right: 'read' | 'history'): void {
  const needed = `${FAMILY[channel.kind]}:${right}`;
  if (!world.registration.scopes.has(needed)) throw missingScope(world, needed);
}

export function missingScope(world: World, needed: string): SlackApiError {
  return new SlackApiError('missing_scope', { needed, provided: [...world.registration.scopes].join(',') });
}
