import type { AnyBlock } from '@slack/types';
import { LRUCache } from 'lru-cache';
import type { PartKey, Reply, ReplyMessage } from '../conversation/reply.ts';
import type { Turn } from '../conversation/turn.ts';
import { createAnswerStream, type StreamCalls } from './answer-stream.ts';
import { toMetadata } from './find-message.ts';
import { readMessages } from './read-pages.ts';
import type { Uses } from './services.ts';
import { type Content, toContent } from './views/content.ts';
import type { CallSlack } from './web/methods.ts';
import {
  asRepeatable,
  isSlackError,
  readRefusal,
  SlackRefusedError,
  SlackUnavailableError,
} from './web/slack-errors.ts';

/** The part of the reply that is streamed: https://docs.slack.dev/messaging/sending-and-scheduling-messages#text-streaming */
type ReplyStreams = {
  stream: Reply['stream'];
  end: Reply['endStream'];
  /** Changes or deletes a message. If Slack refuses because it is still streamed, ends the stream and tries once more. */
  whileClosed(place: Place, key: PartKey | undefined, change: () => Promise<void>): Promise<void>;
};

type Place = { workspace: string; channel: string; ts: string };

type Needs = Uses<'call' | 'sessions' | 'now' | 'log'>;

/** Slack's codes if a workspace or the app does not have streams. */
const NO_STREAMS = [
  'unknown_method',
  'feature_not_enabled',
  'method_deprecated',
  'not_agent_app',
  'not_allowed',
  'not_allowed_token_type',
  'missing_scope',
  'channel_type_not_supported',
];

/** After this time we try again: a workspace can get streams at any time. */
const NO_STREAMS_TTL_MS = 3_600_000;

const MAX_WORKSPACES = 1_000;

/** Slack's codes for a stream that is over: its time is up, somebody pressed *Stop*, or an earlier attempt ended it. */
const OVER = ['message_not_in_streaming_state', 'stopped_by_user', 'message_not_found'];

/** Slack's codes for changing and deleting a message that is still streamed. The second one has other causes, too. */
const OPEN = ['streaming_state_conflict', 'cant_delete_message'];

export function createReplyStreams({ call, sessions, now, log }: Needs): ReplyStreams {
  const withoutStreams = new LRUCache<string, true>({ max: MAX_WORKSPACES, ttl: NO_STREAMS_TTL_MS });

  function createCalls({ question }: Turn): StreamCalls {
    const { workspace, channel, threadTs = '' } = question;
    return {
      async start(text) {
        const message = { channel, thread_ts: threadTs, markdown_text: text };
        // `notice` limits starts to three quarters: each needs an end, and Slack allows no more ends than starts.
        const { ts = '' } = await call('chat.startStream', workspace, message, 'notice');
        return ts;
      },
      async append(ts, text, signal) {
        await call('chat.appendStream', workspace, { channel, ts, markdown_text: text }, 'reply', signal);
      },
      async end(ts, text, key) {
        const given = { channel, ts, metadata: toMetadata(key), session_status: 'processing' };
        await call('chat.stopStream', workspace, { ...given, ...(text && { markdown_text: text }) });
      },
    };
  }

  function noteOver(workspace: string, error: unknown): void {
    log.debug({ err: error }, 'the answer is not streamed further');
    if (!isSlackError(error, ...NO_STREAMS)) return;
    log.info({ workspace, code: readRefusal(error) }, 'slack does not stream here: answers are posted when complete');
    withoutStreams.set(workspace, true);
  }

  async function stop({ workspace, ...place }: Place, key?: PartKey): Promise<void> {
    const args = { ...place, ...(key && { metadata: toMetadata(key) }), session_status: 'active' };
    await call('chat.stopStream', workspace, args).catch(asRepeatable('chat.stopStream'));
  }

  return {
    stream(turn, record) {
      const { workspace } = turn.question;
      if (withoutStreams.has(workspace)) return undefined;
      const onOver = (error: unknown) => noteOver(workspace, error);
      return createAnswerStream({ calls: createCalls(turn), record, now, onOver });
    },
    async end(turn, { channel }, ts, key) {
      try {
        await sessions.endWith(turn, () => stop({ workspace: key.workspace, channel, ts }, key));
      } catch (error) {
        // The edit that follows shows whether the stream is still open.
        if (!(error instanceof SlackRefusedError)) throw error;
        if (!isSlackError(error, ...OVER)) log.warn({ turn: turn.id, err: error }, 'stream not ended');
      }
    },
    async whileClosed(place, key, change) {
      try {
        await change();
      } catch (error) {
        if (!isSlackError(error, ...OPEN)) throw error;
        await stop(place, key).catch((refusal: unknown) => orOpen(refusal, error));
        await change();
      }
    },
  };
}

/** Returns if the stream has ended meanwhile. Else throws, to try again: Slack ends it within five minutes. */
function orOpen(refusal: unknown, error: unknown): void {
  if (!(refusal instanceof SlackRefusedError)) throw refusal;
  // The message cannot be deleted, and not because of a stream: there is nothing more to try.
  if (isSlackError(error, 'cant_delete_message')) throw error;
  if (!isSlackError(refusal, ...OVER)) throw new SlackUnavailableError('chat.stopStream', { cause: refusal });
}

/** The block ids of added blocks begin with this. */
const ADDED = 'added';

/** The current content of a message, read from Slack, with the new content below. Safe to repeat. */
export async function addBelow(
  call: CallSlack,
  workspace: string,
  { channel, threadTs, content }: ReplyMessage,
  ts: string,
): Promise<Content> {
  const [message] = await readMessages(call, workspace, { channel, threadTs, purpose: 'add' }, [ts]);
  const shown = message?.blocks ?? [];
  const { blocks } = content as Content;
  const kept = (shown as AnyBlock[]).filter(({ block_id: id }) => !id?.startsWith(ADDED));
  const added = blocks.map((block, index) => ({ ...block, block_id: `${ADDED}${index}` }));
  return toContent([...kept.map(withoutId), ...added]);
}

function withoutId<Block extends AnyBlock>({ block_id: _, ...block }: Block): AnyBlock {
  return block as AnyBlock;
}
