/** What the app answers to a command or a click: a message of its own, or a change of the one that was clicked. */
import { z } from 'zod';
import { checkMessage, type Refusal } from './blocks/check-message.ts';
import { buildAppMessage, recordNotifications } from './post-message.ts';
import type { Json, Message } from './records.ts';
import type { World } from './world.ts';

/** `messageTs`: of the message that was clicked; a command and a shortcut have none. */
export type ReplyTarget = { userId: string; channel: string; messageTs?: string; isCommand?: boolean };

/** https://docs.slack.dev/interactivity/handling-user-interaction */
const REPLY = z.strictObject({
  text: z.string().optional(),
  blocks: z.array(z.looseObject({ type: z.string() })).optional(),
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: z.boolean().optional(),
  delete_original: z.boolean().optional(),
  thread_ts: z.string().optional(),
  metadata: z.object({ event_type: z.string(), event_payload: z.looseObject({}) }).optional(),
  mrkdwn: z.boolean().optional(),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
});

export type Reply = z.infer<typeof REPLY>;

/** Answers what is wrong with the reply; nothing where it was shown. */
export function applyReply(world: World, target: ReplyTarget, given: Json): Refusal | undefined {
  const { data: reply, error } = REPLY.safeParse(given);
  if (error) return { error: 'invalid_blocks', messages: error.issues.map(({ message }) => message) };
  const refusal = reply.blocks === undefined ? undefined : checkMessage(reply.blocks);
  if (refusal !== undefined) return refusal;
  const original =
    target.messageTs === undefined ? undefined : world.workspace.messages.findAny(target.channel, target.messageTs);
  if (reply.delete_original) {
    if (original) world.workspace.messages.remove(original);
  } else if (original && replacesOriginal(reply)) {
    change(world, original, reply);
  } else if (reply.text !== undefined || reply.blocks !== undefined) {
    showReply(world, target, reply);
  }
  return undefined;
}

/** A reply to a click replaces the clicked message unless it asks for a new one. */
function replacesOriginal(reply: Reply): boolean {
  return reply.replace_original ?? reply.response_type === undefined;
}

function change(world: World, original: Message, reply: Reply): void {
  original.text = reply.text ?? '';
  original.blocks = reply.blocks ?? [];
  original.edits += 1;
  recordNotifications(world.workspace, original);
  world.workspace.messages.changed();
}

/**
 * Shows a new message; commands and clicks may post where the app is no member. What only one person sees stands at the
 * channel's root, whatever `thread_ts` says, and after a click in a direct message it is not shown at all (observed, not
 * documented).
 */
export function showReply(world: World, target: ReplyTarget, reply: Reply): Message {
  const isEphemeral = reply.response_type !== 'in_channel';
  const isHidden = isEphemeral && !target.isCommand && world.workspace.channel(target.channel).kind === 'im';
  const threadTs = isEphemeral ? undefined : reply.thread_ts;
  const message = buildAppMessage(world.workspace, {
    channel: target.channel,
    text: reply.text ?? '',
    blocks: reply.blocks ?? [],
    threadTs,
    ...(isEphemeral && { ephemeralFor: target.userId, hidden: isHidden }),
    metadata: reply.metadata,
  });
  world.workspace.messages.add(message);
  recordNotifications(world.workspace, message);
  return message;
}

/** The answer to a command, in the HTTP response itself: JSON, or plain text. */
export function parseReply(body: string): Reply | undefined {
  if (body.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Reply & Json) : { text: String(value) };
  } catch {
    return { text: body };
  }
}
