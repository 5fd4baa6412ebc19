import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { ping, WebSocket } from 'undici';
import { NotSentError } from './http-errors.ts';
import { createOutboundAgent, type ProxySettings } from './outbound-agent.ts';

type WebSocketEvents = {
  /** A text message. Others are ignored. */
  text(text: string): void;
  /** Something arrived, even a ping or a pong. */
  heard(): void;
  /** Once, at the end. `error`: a NotSentError if the connection was never made and the reason is known. */
  closed(error: Error | undefined): void;
};

/** Slack does not end the TCP connection after the closing handshake. */
const GOODBYE_MS = 1_000;

export type WebSockets = ReturnType<typeof createWebSockets>;

/** WebSockets through the same proxies, and with the same trusted authorities, as all outbound requests. */
export function createWebSockets(proxies: ProxySettings = {}) {
  const dispatcher = createOutboundAgent(proxies);
  return {
    /** Connects to a `ws:` or `wss:` address. No other connection to the same address may be open at that time. */
    connect(url: string, events: WebSocketEvents) {
      const { host, pathname, search } = new URL(url);
      // Subscribe before the connection begins.
      const transport = watchTransport(pathname + search);
      const socket = new WebSocket(url, { dispatcher });
      const unwatch = watchFrames(socket, events);
      let isOver = false;
      const end = () => {
        if (isOver) return;
        isOver = true;
        unwatch();
        const { error } = transport.end();
        events.closed(error && new NotSentError(host, { cause: error }));
      };
      socket.addEventListener('close', end);
      // `close` always follows. Without a listener the error would be reported as uncaught.
      socket.addEventListener('error', () => undefined);
      return toConnection(socket, transport, end);
    },
    close: () => dispatcher.destroy(),
  };
}

function toConnection(socket: WebSocket, transport: Transport, end: () => void) {
  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const destroy = () => {
    socket.close();
    transport.destroy();
    end();
  };
  return {
    /** False if the connection is not open, so that nothing was sent. */
    send(text: string): boolean {
      if (!isOpen()) return false;
      socket.send(text);
      return true;
    },
    ping(): void {
      if (isOpen()) ping(socket);
    },
    /** Sends a close frame. If the other side does not end the connection within a second, ends it. */
    close(): void {
      if (!isOpen()) return destroy();
      socket.close(1000);
      setTimeout(destroy, GOODBYE_MS).unref();
    },
    /** Ends it at once. */
    destroy,
  };
}

/** undici's WebSocket shows no pings: https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md */
function watchFrames(socket: WebSocket, events: WebSocketEvents): () => void {
  const heard = (message: unknown) => {
    if ((message as { websocket: unknown }).websocket === socket) events.heard();
  };
  const channels = ['undici:websocket:ping', 'undici:websocket:pong'];
  for (const channel of channels) subscribe(channel, heard);
  socket.addEventListener('message', ({ data }) => {
    events.heard();
    if (typeof data === 'string') events.text(data);
  });
  return () => {
    for (const channel of channels) unsubscribe(channel, heard);
  };
}

type Transport = ReturnType<typeof watchTransport>;

/**
 * Finds what undici's WebSocket hides: its socket, which is needed to end a silent connection, and why no connection
 * was made.
 */
function watchTransport(path: string) {
  let below: Socket | undefined;
  let error: Error | undefined;
  const isOurs = (message: unknown) => (message as { request: { path: string } }).request.path === path;
  const sent = (message: unknown) => {
    if (isOurs(message)) below = (message as { socket: Socket }).socket;
  };
  const failed = (message: unknown) => {
    if (isOurs(message)) error = (message as { error: Error }).error;
  };
  subscribe('undici:client:sendHeaders', sent);
  subscribe('undici:request:error', failed);
  return {
    destroy: () => void below?.destroy(),
    /** Stops watching; `error`: why the connection was not made. */
    end() {
      unsubscribe('undici:client:sendHeaders', sent);
      unsubscribe('undici:request:error', failed);
      return { error: below ? undefined : error };
    },
  };
}
