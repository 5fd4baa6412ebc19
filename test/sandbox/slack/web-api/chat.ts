import type { z } from 'zod';
import { isStreaming } from '../messages.ts';
import { changeAppMessage, postAppMessage } from '../post-message.ts';
import type { Channel, Message } from '../records.ts';
import { toSlackMessage } from '../slack-message.ts';
import type { World } from '../world.ts';
import { existingRoot, knownMessage, memberChannel, missingScope, postableChannel } from './membership.ts';
import { CONTENT, readContent } from './message-content.ts';
import { CUSTOM, flag, type Method, method, SlackApiError, text } from './method.ts';

const WRITE = ['chat:write'];
/**
 * In bytes. Longer texts are refused by chat.update, not cut: https://docs.slack.dev/reference/methods/chat.update and
 * https://gitlab.com/gitlab-org/gitlab/-/merge_requests/258898
 */
const MAX_UPDATE_TEXT = 4_000;

export const CHAT: Record<string, Method> = {
  'chat.postMessage': method(
    WRITE,
    {
      ...CONTENT,
      ...CUSTOM,
      channel: text,
      thread_ts: text.optional(),
      reply_broadcast: flag.optional(),
      mrkdwn: flag.optional(),
      unfurl_links: flag.optional(),
      unfurl_media: flag.optional(),
      client_msg_id: text.optional(),
    },
    (given, world) => {
      const content = readContent(given);
      refuseCustom(world, given);
      const channel = postableChannel(world, given.channel);
      if (given.thread_ts !== undefined) existingRoot(world, channel.id, given.thread_ts);
      const place = { channel: channel.id, threadTs: given.thread_ts, broadcast: given.reply_broadcast };
      const message = postAppMessage(world, { ...content, ...place });
      return { channel: channel.id, ts: message.ts, message: toSlackMessage(message, { withMetadata: true }) };
    },
  ),

  'chat.postEphemeral': method(
    WRITE,
    { ...CONTENT, ...CUSTOM, channel: text, user: text, thread_ts: text.optional() },
    (given, world) => {
      const { text, blocks } = readContent(given);
      const channel = memberChannel(world, given.channel);
      if (!channel.members.has(given.user)) throw new SlackApiError('user_not_in_channel');
      if (given.thread_ts !== undefined) existingRoot(world, channel.id, given.thread_ts);
      const message = postAppMessage(world, {
        ...{ channel: channel.id, text, blocks, threadTs: given.thread_ts },
        ephemeralFor: given.user,
        hidden: isShownToNobody(world, channel, given.thread_ts),
      });
      return { message_ts: message.ts };
    },
  ),

  'chat.update': method(
    WRITE,
    {
      ...CONTENT,
      channel: text,
      ts: text,
      file_ids: text.optional(),
      reply_broadcast: flag.optional(),
    },
    (given, world) => {
      // Text without blocks removes the blocks; blocks without text keep nothing of the old text.
      const changes = readContent(given);
      if (Buffer.byteLength(given.text ?? '') > MAX_UPDATE_TEXT) throw new SlackApiError('msg_too_long');
      const message = ownMessage(world, given, 'cant_update_message');
      if (isStreaming(message)) throw new SlackApiError('streaming_state_conflict');
      changeAppMessage(world, message, changes);
      const updated = toSlackMessage(message, { withMetadata: true });
      return { channel: message.channel, ts: message.ts, text: message.text, message: updated };
    },
  ),

  'chat.delete': method(WRITE, { channel: text, ts: text, as_user: flag.optional() }, (given, world) => {
    const message = ownMessage(world, given, 'cant_delete_message');
    if (isStreaming(message)) throw new SlackApiError('cant_delete_message');
    world.workspace.messages.remove(message);
    if (world.echoOwnMessages) void world.events.deleted(message);
    return { channel: message.channel, ts: message.ts };
  }),
};

/**
 * Slack accepts these and shows them to nobody: in DMs and agent threads, and in a thread that has no reply yet
 * (https://docs.slack.dev/reference/methods/chat.postEphemeral, `thread_ts`).
 */
function isShownToNobody(world: World, channel: Channel, threadTs: string | undefined): boolean {
  if (channel.kind === 'im') return true;
  return threadTs !== undefined && world.workspace.messages.inThread(channel.id, threadTs).length < 2;
}

function refuseCustom(world: World, given: z.infer<z.ZodObject<typeof CUSTOM>>): void {
  const isCustom = given.username ?? given.icon_emoji ?? given.icon_url;
  if (isCustom !== undefined && !world.registration.scopes.has('chat:write.customize'))
    throw missingScope(world, 'chat:write.customize');
}

function ownMessage(world: World, given: { channel: string; ts: string }, refusal: string): Message {
  const message = knownMessage(world, given.channel, given.ts);
  if (message.user !== world.workspace.app.botUserId) throw new SlackApiError(refusal);
  return message;
}
