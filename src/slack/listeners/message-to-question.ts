import { z } from 'zod';
import type { Question } from '../../conversation/question.ts';
import type { Installation } from '../installation.ts';
import { readMessage } from '../text-in/read-message.ts';

const schema = z.object({
  type: z.enum(['message', 'app_mention']),
  subtype: z.string().optional(),
  channel: z.string().min(1),
  channel_type: z.string().optional(),
  user: z.string().min(1),
  ts: z.string().regex(/^\d+\.\d+$/),
  thread_ts: z
    .string()
    .regex(/^\d+\.\d+$/)
    .optional(),
  bot_id: z.string().optional(),
  app_id: z.string().optional(),
  hidden: z.boolean().optional(),
});

/** A reply also sent to the channel, and a message with files, are messages like any other. The rest are not. */
const SUBTYPES = new Set<string | undefined>([undefined, 'file_share', 'thread_broadcast']);

/** Slack speaks in direct messages with apps, too. */
const SLACK_USERS = new Set(['USLACK', 'USLACKBOT']);

export type Addressed = { id: string; question: Question; isAddressed: boolean; isMentioningOthers: boolean };

/**
 * A message event as a question. Undefined: nobody asked anything (a bot, an edit, somebody who joined). Where
 * `isAddressed` is false the message neither mentions us nor is a direct one.
 */
export function toQuestion(
  event: unknown,
  isSharedChannel: boolean,
  installation: Installation,
): Addressed | undefined {
  const { data: message } = schema.safeParse(event);
  if (!message || !isPersonal(message, installation)) return undefined;
  const { team, workspace, botUserId } = installation;
  const { channel, ts, thread_ts: threadTs, user, channel_type: channelType } = message;
  const isDirect = channelType === 'im' || channel.startsWith('D');
  const { text, webSearch, links, unusable, mentionsBot, mentionedUsers } = readMessage(event, { botUserId });
  return {
    id: `message:${team}:${channel}:${ts}`,
    isAddressed: isDirect || mentionsBot || message.type === 'app_mention',
    isMentioningOthers: mentionedUsers.length > 0,
    question: {
      asker: { team, user },
      workspace,
      channel,
      origin: 'message',
      audience: isDirect ? 'person' : 'channel',
      threadTs: threadTs ?? ts,
      messageTs: ts,
      startsThread: threadTs === undefined || threadTs === ts,
      text,
      webSearch,
      links,
      unusable,
      ...(isSharedChannel && { isSharedChannel }),
    },
  };
}

function isPersonal(message: z.infer<typeof schema>, { botUserId }: Installation): boolean {
  if (!SUBTYPES.has(message.subtype) || message.hidden) return false;
  if (message.bot_id || message.app_id) return false;
  return message.user !== botUserId && !SLACK_USERS.has(message.user);
}
