import { z } from 'zod';
import { parseJson } from '../../json.ts';
import type { Payload } from '../intake.ts';

/** Slack wraps each payload in an envelope: https://docs.slack.dev/apis/events-api/using-socket-mode#events */
export type Envelope = {
  kind: 'envelope';
  id: string;
  payload: Payload;
  /** Whether the acknowledgement may have an answer in it, as for commands and windows. */
  acceptsResponse: boolean;
  retryNum: number | undefined;
  retryReason: string | undefined;
};

/**
 * `hello`: the connection is ready. `disconnect`: Slack is about to close it. `other`: unknown to us, and not to be
 * acknowledged.
 */
export type SocketMessage = { kind: 'hello' } | { kind: 'disconnect'; reason: string } | { kind: 'other' } | Envelope;

const envelope = z.object({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()),
  accepts_response_payload: z.boolean().optional(),
  retry_attempt: z.number().nullish(),
  retry_reason: z.string().nullish(),
});

const notice = z.object({ type: z.enum(['hello', 'disconnect']), reason: z.string().optional() });

export function parseSocketMessage(text: string): SocketMessage {
  const message = parseJson(text);
  const { data: control } = notice.safeParse(message);
  if (control?.type === 'hello') return { kind: 'hello' };
  if (control) return { kind: 'disconnect', reason: control.reason ?? 'unknown' };
  const { data } = envelope.safeParse(message);
  if (!data) return { kind: 'other' };
  return {
    kind: 'envelope',
    id: data.envelope_id,
    payload: data.payload,
    acceptsResponse: data.accepts_response_payload ?? false,
    // In a first delivery, Slack sends 0 and an empty reason.
    retryNum: data.retry_attempt || undefined,
    retryReason: data.retry_reason || undefined,
  };
}

/** `answer`: of the listener. */
export function toAcknowledgement({ id, acceptsResponse }: Envelope, answer: unknown): string {
  const payload = typeof answer === 'string' ? { text: answer } : answer;
  const hasPayload = acceptsResponse && typeof payload === 'object' && payload !== null;
  return JSON.stringify({ envelope_id: id, ...(hasPayload && { payload }) });
}
