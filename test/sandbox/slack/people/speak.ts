/** Writing, changing and deleting messages, as a person does it. */
import { compose } from '../blocks/mrkdwn.ts';
import type { DeliveryResult } from '../delivery.ts';
import type { EventOptions } from '../events.ts';
import { requireMembership } from '../messages.ts';
import type { Block, Message } from '../records.ts';
import { toSlackMessage } from '../slack-message.ts';
import type { World } from '../world.ts';
import { type CommandResult, giveCommand } from './command.ts';
import { type SharedFile, toSlackFile } from './files.ts';
import { answerAsSlackbot, isSlackbots } from './slackbot.ts';

export type SayOptions = EventOptions & {
  threadTs?: string;
  /** Instead of what the composer makes of the text. */
  blocks?: Block[];
  files?: SharedFile[];
  subtype?: string;
  /** Instead of the next one: messages of two teams may have the same. */
  ts?: string;
  /** Also sends a reply to the channel. */
  broadcast?: boolean;
  /** `ack` (usual): until the app acknowledged or Slack gave up; `none`: at once. */
  await?: 'ack' | 'none';
};

export type MessageRef = { channel: string; ts: string; threadTs?: string };

export type SaidMessage = MessageRef & {
  /** How each event of this message was taken; empty with `await: 'none'`. */
  deliveries: DeliveryResult[];
  /** Set where Slack took the text for a command; nothing was posted then, and `ts` is empty. */
  command?: CommandResult;
};

export async function say(
  world: World,
  userId: string,
  to: { channel: string; text: string },
  options: SayOptions,
): Promise<SaidMessage> {
  requireMembership(world.workspace, userId, to.channel);
  if (to.text.startsWith('/')) return intercept(world, userId, to, options);
  const { threadTs } = options;
  if (threadTs !== undefined && !world.workspace.messages.find(to.channel, threadTs)) {
    throw new Error(`There is no thread ${threadTs} in ${to.channel}.`);
  }
  const message = world.workspace.messages.add(write(world, userId, to, options));
  if (isSlackbots(world.workspace.channel(to.channel))) void answerAsSlackbot(world, userId, to);
  const sending = world.events.posted(message, options);
  const deliveries = options.await === 'none' ? [] : await sending;
  return { channel: to.channel, ts: message.ts, ...(threadTs !== undefined && { threadTs }), deliveries };
}

function write(world: World, userId: string, to: { channel: string; text: string }, options: SayOptions): Message {
  const composed = compose(to.text);
  const user = world.workspace.user(userId);
  const subtype =
    options.subtype ?? (options.files ? 'file_share' : options.broadcast ? 'thread_broadcast' : undefined);
  return {
    channel: to.channel,
    ts: options.ts ?? world.workspace.identifiers.ts(),
    threadTs: options.threadTs,
    user: userId,
    botId: user.botId,
    appId: user.appId,
    teamId: user.teamId,
    text: composed.text,
    blocks: (options.blocks ?? (to.text === '' ? [] : composed.blocks)).map((block) => ({
      block_id: 'typed',
      ...block,
    })),
    subtype,
    files: options.files?.map((file) => toSlackFile(world, userId, file)),
    broadcast: options.broadcast,
    clientMsgId: world.workspace.identifiers.secret(),
    edits: 0,
  };
}

/** The client never sends a text that starts with a slash as a message. */
async function intercept(
  world: World,
  userId: string,
  to: { channel: string; text: string },
  options: SayOptions,
): Promise<SaidMessage> {
  const [name = '', ...rest] = to.text.split(' ');
  // One of Slack's own.
  const invited = /^\/invite\s+<@(\w+)>\s*$/.exec(to.text)?.[1];
  if (invited !== undefined && options.threadTs === undefined) {
    invite(world, userId, { channel: to.channel, user: invited });
    return { channel: to.channel, ts: '', deliveries: [] };
  }
  const where = { channel: to.channel, ...(options.threadTs !== undefined && { threadTs: options.threadTs }) };
  const command = await giveCommand(world, userId, { name, text: rest.join(' '), ...where });
  return { channel: to.channel, ts: '', deliveries: [], command };
}

/** Adds somebody, or an app, to a channel that the person is in. */
export function invite(world: World, userId: string, { channel, user }: { channel: string; user: string }): void {
  const { workspace } = world;
  requireMembership(workspace, userId, channel);
  if (workspace.user(userId).isRestricted) throw new Error('Guests may not add people.');
  if (!['public', 'private'].includes(workspace.channel(channel).kind))
    throw new Error('Nobody can be added to a direct message.');
  workspace.join(channel, user);
}

export async function edit(
  world: World,
  userId: string,
  ref: MessageRef,
  text: string,
  options: EventOptions,
): Promise<DeliveryResult[]> {
  const message = ownMessage(world, userId, ref);
  const previous = toSlackMessage(message);
  const composed = compose(text);
  message.text = composed.text;
  message.blocks = composed.blocks.map((block) => ({ ...block, block_id: 'typed' }));
  // In whole seconds, as Slack has it.
  const [seconds] = world.workspace.identifiers.ts().split('.');
  message.edited = { user: userId, ts: `${seconds}.000000` };
  world.workspace.messages.changed();
  return world.events.changed(message, previous, options);
}

export async function remove(
  world: World,
  userId: string,
  ref: MessageRef,
  options: EventOptions,
): Promise<DeliveryResult[]> {
  const message = ownMessage(world, userId, ref);
  const { messages } = world.workspace;
  if (messages.inThread(message.channel, message.ts).length > 1) return entomb(world, message, options);
  messages.remove(message);
  return world.events.deleted(message, options);
}

/** The replies stay, below a line that says that the root was deleted. */
function entomb(world: World, message: Message, options: EventOptions): Promise<DeliveryResult[]> {
  const previous = toSlackMessage(message);
  Object.assign(message, {
    subtype: 'tombstone',
    user: 'USLACKBOT',
    text: 'This message was deleted.',
    blocks: [],
    files: undefined,
  });
  world.workspace.messages.changed();
  return world.events.entombed(message, previous, options);
}

function ownMessage(world: World, userId: string, ref: MessageRef): Message {
  const message = world.workspace.messages.find(ref.channel, ref.ts);
  if (!message) throw new Error(`There is no message ${ref.ts} in ${ref.channel}.`);
  if (message.user !== userId) throw new Error(`${userId} cannot change a message of ${message.user}.`);
  return message;
}
