import { hash } from 'node:crypto';
import type { MessageMetadata } from '@slack/types';
import type { PartKey } from '../conversation/reply.ts';
import type { ReplyPart } from '../conversation/turn.ts';
import { TransientError } from '../errors.ts';
import type { FindInstallation } from './installation.ts';
import { type ReadMessage, readPages } from './read-pages.ts';
import type { CallSlack } from './web/methods.ts';
import { isSlackError, SlackRefusedError, SlackUnavailableError } from './web/slack-errors.ts';

/** How far our clock and Slack's may differ. Used if there is no message of the asker to search from. */
const CLOCK_SKEW_S = 900;

type FindPorts = { call: CallSlack; findInstallation: FindInstallation };

/**
 * Finds messages that may have been created, by the turn and part in their metadata. A stream gets metadata when it
 * ends. Until then it is our only streamed message after the question that has no metadata and is not in `others`,
 * because the turns of a thread run one at a time. Returns their ts, oldest first.
 */
export async function findMessages(
  ports: FindPorts,
  { channel, threadTs, placingAt = 0, since, stream }: ReplyPart,
  key: PartKey,
  others: readonly string[] = [],
): Promise<string[]> {
  const { botUserId } = await ports.findInstallation(key.workspace);
  const oldest = since ?? String(Math.max(0, Math.floor(placingAt / 1000) - CLOCK_SKEW_S));
  const range = { channel, oldest, include_all_metadata: true };
  try {
    const messages = await readPages(ports.call, key.workspace, { ...range, threadTs, purpose: `find ${placingAt}` });
    const isOrphan = ({ ts = '', user, metadata, streaming_state: state }: ReadMessage) =>
      stream !== undefined && state !== undefined && user === botUserId && !metadata && !others.includes(ts);
    const ours = messages.filter((message) => hasMetadata(message, key) || isOrphan(message));
    return ours.flatMap(({ ts }) => ts ?? []).sort();
  } catch (error) {
    return nothingThere(error);
  }
}

/** Every app of a workspace can read a message's metadata, so it names the turn by a hash. */
const EVENT_TYPE = 'assistant_bridge_reply';

export function toMetadata({ turnId, part }: PartKey): MessageMetadata {
  return { event_type: EVENT_TYPE, event_payload: { turn: toOpaque(turnId), part } };
}

/** A place that is gone has no messages of ours; creating one will fail and report it. All other errors are thrown. */
function nothingThere(error: unknown): [] {
  if (isSlackError(error, 'thread_not_found', 'message_not_found', 'channel_not_found', 'not_in_channel')) return [];
  // Never report "not found" if we could not search. A refusal may be permanent, and is thrown as it is.
  if (error instanceof TransientError || error instanceof SlackRefusedError) throw error;
  throw new SlackUnavailableError('looking for a message', { cause: error });
}

function hasMetadata(message: { metadata?: unknown }, { turnId, part }: PartKey): boolean {
  const metadata = message.metadata as Partial<MessageMetadata> | undefined;
  const payload = metadata?.event_payload;
  return metadata?.event_type === EVENT_TYPE && payload?.turn === toOpaque(turnId) && payload.part === part;
}

function toOpaque(turnId: string): string {
  return hash('sha256', turnId, 'base64url').slice(0, 22);
}
