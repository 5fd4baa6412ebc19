/** Socket Mode: https://docs.slack.dev/apis/events-api/using-socket-mode */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { noAnswer, type PostAnswer } from '../http-post.ts';
import type { DeliveryKind } from '../ledger.ts';
import type { OpenId } from '../openid/openid.ts';
import type { Json } from '../records.ts';
import type { Signal } from '../signal.ts';
import type { Exchange } from '../web-api/answer-call.ts';
import { SlackApiError } from '../web-api/method.ts';
import type { World } from '../world.ts';

export type SocketMode = ReturnType<typeof createSocketMode>;

/** What tests do to the connections of the app. */
export type SocketModeControls = Omit<SocketMode, 'issueTicket' | 'upgrade' | 'send' | 'close'>;

type OutgoingEnvelope = {
  kind: DeliveryKind;
  /** A text is sent as it is, and never acknowledged. */
  payload: Json | string;
  retry: { number: number; reason: string } | undefined;
};

type Connection = { socket: WebSocket; isReady: boolean; isSilent: boolean; pongAt: number; pinging: NodeJS.Timeout };

type Waiting = {
  connection: Connection;
  payload: Json | string;
  acceptsResponse: boolean;
  done(answer: PostAnswer): void;
};

const TICKET_LIFE_MS = 30_000;
const MAX_CONNECTIONS = 10;
const PING_EVERY_MS = 5_000;
const PONG_WITHIN_MS = 30_000;
const ENDS_AFTER_MS = 10_000;

const TYPES: Partial<Record<DeliveryKind, string>> = {
  event: 'events_api',
  command: 'slash_commands',
  interaction: 'interactive',
};

export function createSocketMode(appId: string, changed: Signal) {
  const tickets = new Map<string, number>();
  const connections = new Set<Connection>();
  const waiting = new Map<string, Waiting>();
  const problems: string[] = [];
  const listeners = new Set<(payload: Json) => void>();
  const timers = new Set<NodeJS.Timeout>();
  const server = new WebSocketServer({ noServer: true });
  let isOn = true;
  let isMute = false;
  let opened = 0;
  let turn = 0;

  function greet(connection: Connection): void {
    if (isMute) return;
    const reason = !isOn ? 'link_disabled' : connections.size > MAX_CONNECTIONS ? 'too_many_websockets' : undefined;
    if (reason) return announceEnd(connection, reason, 0);
    connection.isReady = true;
    opened += 1;
    say(connection, JSON.stringify(toHello(appId, connections.size)));
    changed.notify();
  }

  function say({ socket, isSilent }: Connection, text: string): void {
    if (!isSilent) socket.send(text);
  }

  function announceEnd(connection: Connection, reason: string, endsAfterMs: number): void {
    say(connection, JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink-sandbox' } }));
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!connection.isSilent) connection.socket.close(1000);
    }, endsAfterMs);
    timers.add(timer);
  }

  function accept(socket: WebSocket): void {
    const connection: Connection = {
      socket,
      isReady: false,
      isSilent: false,
      pongAt: Date.now(),
      pinging: setInterval(() => {
        if (!connection.isSilent) socket.ping('Ping from applink-sandbox');
        if (Date.now() - connection.pongAt > PONG_WITHIN_MS) socket.terminate();
      }, PING_EVERY_MS),
    };
    socket.on('message', (data) => hear(connection, String(data)));
    socket.on('pong', () => {
      connection.pongAt = Date.now();
    });
    socket.on('close', () => remove(connection));
    socket.on('error', () => socket.terminate());
    connections.add(connection);
    greet(connection);
  }

  function remove(connection: Connection): void {
    clearInterval(connection.pinging);
    connections.delete(connection);
    for (const [id, one] of waiting) if (one.connection === connection) settle(id, noAnswer('connection_failed'));
    changed.notify();
  }

  function settle(id: string, answer: PostAnswer): void {
    waiting.get(id)?.done(answer);
    waiting.delete(id);
  }

  function hear(connection: Connection, text: string): void {
    const said = JSON.parse(text) as { envelope_id?: string; payload?: unknown };
    const id = said.envelope_id ?? '';
    const one = waiting.get(id);
    if (!one) return void problems.push('an acknowledgement without an envelope, or too late');
    if (one.connection !== connection) return void problems.push('an acknowledgement on another connection');
    if (said.payload !== undefined && !one.acceptsResponse) problems.push('an answer where none is accepted');
    const body = said.payload === undefined ? '' : JSON.stringify(said.payload);
    settle(id, { status: 200, body, headers: {}, error: undefined });
    if (typeof one.payload !== 'string') for (const listener of listeners) listener(one.payload);
  }

  return {
    /** How many connections are open, those that are about to be closed included. */
    get count(): number {
      return [...connections].filter(({ isReady }) => isReady).length;
    },
    /** How many were ever opened. */
    get opened(): number {
      return opened;
    },
    /** What the app did that Slack does not document: acknowledgements that belong to no envelope, and the like. */
    problems: problems as readonly string[],
    /** Called with each payload that was acknowledged in time. */
    onAcknowledged: (listener: (payload: Json) => void) => void listeners.add(listener),
    /** Announces the end of every connection that is open now, and ends it so much later. */
    refresh(reason: 'warning' | 'refresh_requested' = 'refresh_requested', endsAfterMs = ENDS_AFTER_MS): void {
      for (const connection of connections) announceEnd(connection, reason, endsAfterMs);
    },
    /** Cuts every connection without a word. */
    cut(): void {
      for (const { socket } of connections) socket.terminate();
    },
    /** Nothing comes over the present connections any more, and nothing is heard, though they stay open. */
    fallSilent(): void {
      for (const connection of connections) {
        connection.isSilent = true;
        connection.socket.pause();
      }
    },
    /** New connections are accepted, and hear nothing. */
    mute(on: boolean): void {
      isMute = on;
    },
    /** The switch in the settings of the app. Open connections are told, and end. */
    turn(on: boolean): void {
      isOn = on;
      if (!on) for (const connection of connections) announceEnd(connection, 'link_disabled', 0);
    },
    /** A new address to connect to: it is good once, for half a minute. */
    issueTicket(): string {
      const ticket = randomBytes(16).toString('hex');
      tickets.set(ticket, Date.now() + TICKET_LIFE_MS);
      return `/link/?ticket=${ticket}&app_id=${appId}`;
    },
    upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
      const ticket = new URL(request.url ?? '/', 'http://sandbox').searchParams.get('ticket') ?? '';
      const expiresAt = tickets.get(ticket) ?? 0;
      tickets.delete(ticket);
      if (expiresAt < Date.now()) return void stream.end('HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n');
      server.handleUpgrade(request, stream, head, accept);
    },
    /** Sends it over one of the connections, and waits for its acknowledgement. */
    send({ kind, payload, retry }: OutgoingEnvelope, timeoutMs: number): Promise<PostAnswer> {
      const ready = [...connections].filter(({ isReady }) => isReady);
      const connection = ready[turn++ % ready.length];
      if (!connection) return Promise.resolve(noAnswer('connection_failed'));
      const id = randomUUID();
      const acceptsResponse = kind !== 'event';
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(id, noAnswer('http_timeout')), timeoutMs);
        waiting.set(id, {
          connection,
          payload,
          acceptsResponse,
          done(answer) {
            clearTimeout(timer);
            resolve(answer);
          },
        });
        say(
          connection,
          typeof payload === 'string'
            ? payload
            : JSON.stringify({
                envelope_id: id,
                type: TYPES[kind],
                accepts_response_payload: acceptsResponse,
                payload,
                ...(kind === 'event' && { retry_attempt: retry?.number ?? 0, retry_reason: retry?.reason ?? '' }),
              }),
        );
      });
    },
    close(): void {
      for (const timer of timers) clearTimeout(timer);
      for (const { socket, pinging } of connections) {
        clearInterval(pinging);
        socket.terminate();
      }
    },
  };
}

function toHello(appId: string, connections: number): Json {
  return {
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: appId },
    debug_info: { host: 'applink-sandbox', build_number: 1, approximate_connection_time: 18_060 },
  };
}

export function createConnectionMethods(world: World): OpenId {
  return {
    methods: new Map([
      [
        'apps.connections.open',
        async ({ request }: Exchange) => {
          // Only as a header: as an argument it is refused.
          const token = request.headers.authorization?.replace(/^Bearer /i, '');
          if (token === undefined) throw new SlackApiError('not_authed');
          if (token.startsWith('xoxb-')) throw new SlackApiError('not_allowed_token_type');
          if (token !== world.credentials.appToken) throw new SlackApiError('invalid_auth');
          return { ok: true, url: world.url.replace(/^http/, 'ws') + world.socketMode.issueTicket() };
        },
      ],
    ]),
    answer: async () => undefined,
  };
}
