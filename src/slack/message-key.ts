import { createHash } from 'node:crypto';
import type { MessageMetadata } from '@slack/types';
import type { PartKey } from '../conversation/reply.ts';

/** Every app of a workspace can read a message's metadata, so it names the turn by a hash. */
const EVENT_TYPE = 'assistant_bridge_reply';

export function toMetadata({ turnId, part }: PartKey): MessageMetadata {
  return { event_type: EVENT_TYPE, event_payload: { turn: toOpaque(turnId), part } };
}

export function hasMetadata(message: { metadata?: unknown }, { turnId, part }: PartKey): boolean {
  const metadata = message.metadata as Partial<MessageMetadata> | undefined;
  const payload = metadata?.event_payload;
  return metadata?.event_type === EVENT_TYPE && payload?.turn === toOpaque(turnId) && payload.part === part;
}

function toOpaque(turnId: string): string {
  return createHash('sha256').update(turnId).digest('base64url').slice(0, 22);
}
