/** What the app answers to a command or a click: a message of its own, or a change of the one that was clicked. */
import { checkMessage, type Refusal } from './blocks/check-message.ts';
import { buildAppMessage, recordNotifications } from './post-message.ts';
import type { Block, Json, Message } from './records.ts';
import type { World } from './world.ts';

/** `messageTs`: of the message that was clicked; a command and a shortcut have none. */
export type ReplyTarget = { userId: string; channel: string; messageTs?: string; isCommand?: boolean };

export type Reply = {
  text?: string;
  blocks?: Block[];
  response_type?: 'ephemeral' | 'in_channel';
  replace_original?: boolean;
  delete_original?: boolean;
  thread_ts?: string;
  metadata?: Message['metadata'];
};

const FIELDS = [
  'text',
  'blocks',
  'response_type',
  'replace_original',
  'delete_original',
  'thread_ts',
  'metadata',
  'mrkdwn',
  'unfurl_links',
  'unfurl_media',
];

/** Answers what is wrong with the reply; nothing where it was shown. */
export function applyReply(world: World, target: ReplyTarget, reply: Reply): Refusal | undefined {
  const unknown = Object.keys(reply).filter((field) => !FIELDS.includes(field));
  if (unknown.length > 0) return { error: 'invalid_blocks', messages: [`unknown fields: ${unknown.join(', ')}`] };
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
