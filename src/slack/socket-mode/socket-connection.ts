import { z } from 'zod';
import { TransientError } from '../../errors.ts';
import type { WebSockets } from '../../http/web-socket.ts';
import { parseJson } from '../../json.ts';
import type { Log } from '../../log.ts';
import type { Payload } from '../intake.ts';

/** The connection failed, or Slack ended it before it was ready. `reason`: Slack's, or one of ours. */
export class SocketNotOpenedError extends TransientError {
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super('slack_socket_not_opened', `no connection to Slack: ${reason}`, options);
    this.reason = reason;
  }
}

/** In ms. */
export type SocketTimes = {
  /** The longest wait for Slack's hello. */
  helloMs: number;
  /** How often we ping. */
  pingMs: number;
  /** After this time without anything from Slack, pings and pongs included, we treat the connection as dead. */
  silenceMs: number;
};

const TIMES: SocketTimes = { helloMs: 10_000, pingMs: 10_000, silenceMs: 30_000 };

export type SocketPorts = {
  connect: WebSockets['connect'];
  /** Resolves after the listeners are done, with `acknowledge: false` if Slack should send it again. Never rejects. */
  take(envelope: Envelope): Promise<{ acknowledge: boolean; answer?: unknown }>;
  /** Slack said hello. */
  onOpen(connection: SocketConnection): void;
  /** Slack is about to close the connection, which still works. `reason` is Slack's. */
  onLeaving(connection: SocketConnection, reason: string): void;
  /** The connection was open and has ended. `reason`: `lost`, `silent`, or `closed` by ourselves. */
  onClosed(connection: SocketConnection, reason: string): void;
  times?: Partial<SocketTimes>;
  log: Log;
};

/** An open connection, over which Slack sends envelopes. */
export type SocketConnection = {
  /** Resolves when no envelope waits for its acknowledgement. */
  idle(): Promise<void>;
  close(): void;
};

/** Resolves after Slack's hello. Throws SocketNotOpenedError. */
export function openSocketConnection(url: string, ports: SocketPorts): Promise<void> {
  const { take, onOpen, onLeaving, onClosed, log } = ports;
  const { helloMs, pingMs, silenceMs } = { ...TIMES, ...ports.times };
  const underWay = new Set<Promise<void>>();
  let isReady = false;
  let heardAt = performance.now();
  let closedBy = 'lost';

  return new Promise((resolve, reject) => {
    const end = (reason: string) => {
      closedBy = reason;
      socket.destroy();
    };
    const connection: SocketConnection = {
      async idle() {
        while (underWay.size > 0) await Promise.all(underWay);
      },
      close() {
        closedBy = 'closed';
        socket.close();
      },
    };

    async function answer(envelope: Envelope): Promise<void> {
      const { acknowledge, answer: given } = await take(envelope);
      // On the connection that the envelope came on: on another one, Slack does not know it.
      if (acknowledge && !socket.send(toAcknowledgement(envelope, given))) {
        log.info('slack connection closed before an acknowledgement');
      }
    }

    const socket = ports.connect(url, {
      heard() {
        heardAt = performance.now();
      },
      text(text) {
        const message = parseSocketMessage(text);
        if (message.kind === 'envelope') {
          const work: Promise<void> = answer(message).finally(() => underWay.delete(work));
          underWay.add(work);
        } else if (message.kind === 'hello') {
          isReady = true;
          clearTimeout(helloTimer);
          onOpen(connection);
          resolve();
        } else if (message.kind === 'disconnect') {
          if (isReady) onLeaving(connection, message.reason);
          else end(message.reason);
        }
      },
      closed(error) {
        clearTimeout(helloTimer);
        clearInterval(pinging);
        if (isReady) onClosed(connection, closedBy);
        else reject(new SocketNotOpenedError(closedBy, { cause: error }));
      },
    });
    // After the socket: `connect` throws if Slack sent no address, and then nothing must be left that would use it.
    const helloTimer = setTimeout(() => end('no_hello'), helloMs);
    const pinging = setInterval(() => {
      if (performance.now() - heardAt >= silenceMs) end('silent');
      else socket.ping();
    }, pingMs);
  });
}

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
type SocketMessage = { kind: 'hello' } | { kind: 'disconnect'; reason: string } | { kind: 'other' } | Envelope;

const envelope = z.object({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()),
  accepts_response_payload: z.boolean().optional(),
  retry_attempt: z.number().nullish(),
  retry_reason: z.string().nullish(),
});

const notice = z.object({ type: z.enum(['hello', 'disconnect']), reason: z.string().optional() });

function parseSocketMessage(text: string): SocketMessage {
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
function toAcknowledgement({ id, acceptsResponse }: Envelope, answer: unknown): string {
  const payload = typeof answer === 'string' ? { text: answer } : answer;
  const hasPayload = acceptsResponse && typeof payload === 'object' && payload !== null;
  return JSON.stringify({ envelope_id: id, ...(hasPayload && { payload }) });
}
