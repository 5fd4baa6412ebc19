/** Streamed messages: https://docs.slack.dev/messaging/sending-and-scheduling-messages#text-streaming */
import { z } from 'zod';
import { isStreaming } from '../messages.ts';
import { changeAppMessage, postAppMessage } from '../post-message.ts';
import type { Block, Json, Message, StreamState } from '../records.ts';
import { toSlackMessage } from '../slack-message.ts';
import type { World } from '../world.ts';
import { existingRoot, knownMessage, memberChannel } from './membership.ts';
import { readMetadata, requireBlocks } from './message-content.ts';
import { CUSTOM, type Method, method, object, objects, SlackApiError, text } from './method.ts';

/** Observed, not documented: streams end above about 11 KB. */
const MAX_BYTES = 11_000;
const MAX_MARKDOWN_TEXT = 12_000;
const WRITE = ['chat:write'];
const PIECES = { markdown_text: text.optional(), chunks: objects.optional() };
type Pieces = z.infer<z.ZodObject<typeof PIECES>>;

export const CHAT_STREAM: Record<string, Method> = {
  'chat.startStream': method(
    WRITE,
    {
      ...PIECES,
      ...CUSTOM,
      channel: text,
      thread_ts: text,
      recipient_user_id: text.optional(),
      recipient_team_id: text.optional(),
      task_display_mode: text.optional(),
    },
    (given, world) => {
      const channel = memberChannel(world, given.channel);
      existingRoot(world, channel.id, given.thread_ts);
      if (channel.kind !== 'im' && given.recipient_user_id === undefined)
        throw new SlackApiError('missing_recipient_user_id');
      if (channel.kind !== 'im' && given.recipient_team_id === undefined)
        throw new SlackApiError('missing_recipient_team_id');
      const stream = newStream();
      grow(stream, given);
      const draft = {
        channel: channel.id,
        text: stream.markdown,
        blocks: toBlocks(stream),
        threadTs: given.thread_ts,
        stream,
      };
      if (world.registration.isAgent)
        world.workspace.sessions.set({ channel: channel.id, threadTs: given.thread_ts }, 'processing');
      return { channel: channel.id, ts: postAppMessage(world, draft).ts };
    },
  ),

  'chat.appendStream': method(WRITE, { ...PIECES, channel: text, ts: text }, (given, world) => {
    const { message, stream } = openStream(world, given);
    if (given.markdown_text === undefined && given.chunks === undefined) throw new SlackApiError('invalid_arguments');
    grow(stream, given);
    show(world, message, stream);
    return { channel: message.channel, ts: message.ts };
  }),

  'chat.stopStream': method(
    WRITE,
    {
      ...PIECES,
      channel: text,
      ts: text,
      blocks: objects.optional(),
      metadata: object.optional(),
      session_status: z.enum(['active', 'processing', 'suspended', 'closed']).optional(),
    },
    (given, world) => {
      const metadata = readMetadata(given.metadata);
      const { message, stream } = openStream(world, given);
      const added = (given.blocks ?? []) as Block[];
      const markdown = stream.markdown + (given.markdown_text ?? '');
      requireBlocks([...toBlocks({ ...stream, markdown }), ...added]);
      grow(stream, given);
      stream.state = 'finished';
      const { channel, threadTs = '' } = message;
      if (world.registration.isAgent)
        world.workspace.sessions.set({ channel, threadTs }, given.session_status ?? 'active');
      const blocks = [...toBlocks(stream), ...added];
      changeAppMessage(world, message, { text: stream.markdown, blocks, ...(metadata && { metadata }) });
      return { channel: message.channel, ts: message.ts, message: toSlackMessage(message, { withMetadata: true }) };
    },
  ),
};

function newStream(): StreamState {
  return { startedAt: Date.now(), bytes: 0, markdown: '', tasks: new Map(), blocks: [], state: 'streaming' };
}

function openStream(world: World, given: { channel: string; ts: string }): { message: Message; stream: StreamState } {
  const message = knownMessage(world, given.channel, given.ts);
  const stream = message.stream;
  if (stream?.state === 'stopped_by_user') throw new SlackApiError('stopped_by_user');
  if (!stream || !isStreaming(message)) throw new SlackApiError('message_not_in_streaming_state');
  return { message, stream };
}

function grow(stream: StreamState, pieces: Pieces): void {
  if (pieces.markdown_text !== undefined && pieces.chunks !== undefined) throw new SlackApiError('invalid_arguments');
  const size =
    Buffer.byteLength(pieces.markdown_text ?? '') +
    (pieces.chunks ? Buffer.byteLength(JSON.stringify(pieces.chunks)) : 0);
  if ((pieces.markdown_text?.length ?? 0) > MAX_MARKDOWN_TEXT || stream.bytes + size > MAX_BYTES)
    throw new SlackApiError('msg_too_long');
  stream.bytes += size;
  stream.markdown += pieces.markdown_text ?? '';
  for (const chunk of pieces.chunks ?? []) addChunk(stream, chunk);
}

function addChunk(stream: StreamState, chunk: Json): void {
  if (chunk.type === 'markdown_text' && typeof chunk.text === 'string') stream.markdown += chunk.text;
  else if (chunk.type === 'task_update' && typeof chunk.id === 'string') {
    stream.tasks.set(chunk.id, { ...stream.tasks.get(chunk.id), ...chunk });
  } else if (chunk.type === 'blocks') {
    requireBlocks(chunk.blocks);
    stream.blocks.push(...(chunk.blocks as Block[]));
  } else if (chunk.type !== 'plan_update') throw new SlackApiError('invalid_chunks');
}

function toBlocks(stream: StreamState): Block[] {
  const tasks = [...stream.tasks.values()].map((task) => ({ ...task, type: 'task_card', task_id: task.id }));
  const body = stream.markdown === '' ? [] : [{ type: 'markdown', text: stream.markdown }];
  return [...tasks, ...body, ...stream.blocks];
}

/** An append is seen at once, but tells the app nothing. */
function show(world: World, message: Message, stream: StreamState): void {
  message.text = stream.markdown;
  message.blocks = toBlocks(stream);
  world.workspace.messages.changed();
}
