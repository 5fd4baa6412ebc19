import { setTimeout as pause } from 'node:timers/promises';
import { PermanentError, TransientError } from '../../errors.ts';
import { readConnectionFault } from '../../http/connection-fault.ts';
import type { WebSockets } from '../../http/web-socket.ts';
import type { Log } from '../../log.ts';
import { retry } from '../../retry.ts';
import { withinTime } from '../../time-limit.ts';
import { readRefusal } from '../web/slack-errors.ts';
import {
  openSocketConnection,
  type SocketConnection,
  SocketNotOpenedError,
  type SocketPorts,
  type SocketTimes,
} from './socket-connection.ts';

type SocketModePorts = {
  /** Asks Slack for the address of a new connection. Throws what CallSlack throws. */
  openUrl(): Promise<string>;
  webSockets: WebSockets;
  take: SocketPorts['take'];
  /** Called with the number of open connections whenever it has changed. */
  onCount(open: number): void;
  /** A new connection is needed: `lost`, `silent`, or what Slack says, such as `refresh_requested`. */
  onReplace(reason: string): void;
  /** Slack said hello. */
  onConnected(): void;
  times?: Partial<SocketTimes & ReplaceTimes>;
  log: Log;
};

/** In ms. */
type ReplaceTimes = {
  /** Before the second try; doubled after each. */
  firstWaitMs: number;
  longestWaitMs: number;
  /** After a refusal that only an operator can fix. */
  refusedWaitMs: number;
  /** A connection that ends earlier counts as a failure. Otherwise we would reconnect all the time. */
  steadyMs: number;
  /** How long an old connection stays open beside the new one. Slack closes it some ten seconds after it announced that. */
  overlapMs: number;
};

const TIMES: ReplaceTimes = {
  firstWaitMs: 1_000,
  longestWaitMs: 30_000,
  refusedWaitMs: 60_000,
  steadyMs: 30_000,
  overlapMs: 30_000,
};

/** Limits the wait, with `firstWaitMs`, to eight seconds instead of thirty if a network breaks every connection. */
const MAX_QUICK_ENDS = 5;

const TOKEN =
  'Slack does not accept SLACK_APP_TOKEN. Copy it again from Basic Information → App-Level Tokens, where it needs the scope connections:write.';

/** What an operator has to do, by Slack's reason for refusing the connection. */
const SENTENCES: Record<string, string> = {
  link_disabled: 'Socket Mode is turned off for this app: turn it on in its settings, or leave SLACK_APP_TOKEN out.',
  too_many_websockets:
    'The app has the ten connections that Slack allows: run fewer replicas, or stop other programs that use SLACK_APP_TOKEN.',
};

export type SocketMode = ReturnType<typeof createSocketMode>;

/**
 * One connection to Slack, over which payloads come instead of HTTP requests:
 * https://docs.slack.dev/apis/events-api/using-socket-mode
 *
 * Used instead of SocketModeClient of @slack/socket-mode, which closes the old connection five seconds before it opens
 * the next, acknowledges on whichever connection is the newest, and ends the process if it cannot connect again.
 */
export function createSocketMode(ports: SocketModePorts) {
  const { openUrl, webSockets, onCount, onReplace, onConnected, log } = ports;
  const times = { ...TIMES, ...ports.times };
  const stopping = new AbortController();
  const open = new Set<SocketConnection>();
  /** The connection that does not have to be replaced yet. */
  let good: { connection: SocketConnection; since: number } | undefined;
  let quickEnds = 0;
  let isConnecting = false;

  async function connect(): Promise<void> {
    const url = await openUrl();
    if (stopping.signal.aborted) return;
    await openSocketConnection(url, {
      ...ports,
      connect: webSockets.connect,
      onOpen,
      onLeaving: leave,
      onClosed(connection, reason) {
        if (open.delete(connection)) onCount(open.size);
        leave(connection, reason);
      },
    });
  }

  function onOpen(connection: SocketConnection): void {
    if (stopping.signal.aborted) return connection.close();
    for (const old of open) void retire(old);
    open.add(connection);
    good = { connection, since: performance.now() };
    onCount(open.size);
    onConnected();
    log.info({ connections: open.size }, 'slack connected');
  }

  /** The connection has ended, or is about to. Only the current connection is replaced, once. */
  function leave(connection: SocketConnection, reason: string): void {
    if (good?.connection !== connection) return;
    const lastedMs = performance.now() - good.since;
    quickEnds = lastedMs < times.steadyMs ? Math.min(quickEnds + 1, MAX_QUICK_ENDS) : 0;
    good = undefined;
    if (stopping.signal.aborted) return;
    onReplace(reason);
    const sentence = SENTENCES[reason];
    if (sentence) log.error({ reason, sentence }, 'slack ends the connection');
    else log.info({ reason, lastedMs: Math.round(lastedMs) }, 'slack connection is replaced');
    replace();
  }

  function replace(restMs = quickEnds > 1 ? toBackoffMs(quickEnds - 1, times) : 0): void {
    if (isConnecting) return;
    isConnecting = true;
    void keepTrying(restMs)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, 'slack connection given up');
      })
      .finally(() => {
        isConnecting = false;
        // The new one may have been lost at once.
        if (!good && !stopping.signal.aborted) replace();
      });
  }

  async function keepTrying(restMs: number): Promise<void> {
    await wait(restMs);
    await retry(connect, toWaitMs, wait);
  }

  function toWaitMs(error: unknown, failures: number): number {
    const refusal = readRefusal(error);
    const reason = error instanceof SocketNotOpenedError ? error.reason : undefined;
    const sentence = refusal ? TOKEN : SENTENCES[reason ?? ''];
    const advice = readConnectionFault(error)?.advice;
    const retryAfterMs = (error instanceof TransientError && error.retryAfterMs) || 0;
    const waitMs = sentence ? times.refusedWaitMs : Math.max(toBackoffMs(failures, times), retryAfterMs);
    log.error({ err: error, refusal, reason, sentence, advice, waitMs }, 'slack not connected');
    return waitMs;
  }

  /** Rejects when the process stops. */
  async function wait(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: stopping.signal });
  }

  async function retire(old: SocketConnection): Promise<void> {
    // Slack may still send commands over it, which would get no answer if we closed it now. Slack closes it itself.
    await wait(times.overlapMs).catch(() => undefined);
    if (stopping.signal.aborted) return;
    await old.idle();
    old.close();
  }

  return {
    /** Connects. If that fails for now, goes on trying. Throws a PermanentError if Slack refuses the token. */
    async start(): Promise<void> {
      try {
        await connect();
      } catch (error) {
        const refusal = readRefusal(error);
        if (refusal) throw new PermanentError('slack_socket_mode', `${TOKEN} (${refusal})`, { cause: error });
        replace(toWaitMs(error, 1));
      }
    },
    isConnected: () => open.size > 0,
    /** Waits up to `graceMs` for the envelopes that have arrived, then closes the connections. */
    async stop(graceMs: number): Promise<void> {
      stopping.abort();
      // Envelopes that arrive meanwhile are processed too: we cannot tell Slack to stop sending.
      const connections = [...open];
      await withinTime(graceMs, Promise.all(connections.map(({ idle }) => idle())), () => undefined);
      for (const connection of connections) connection.close();
      await webSockets.close();
    },
  };
}

/** With jitter: all replicas lose their connections at the same time. */
function toBackoffMs(failures: number, { firstWaitMs, longestWaitMs }: ReplaceTimes): number {
  return Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs) * (0.8 + 0.4 * Math.random());
}
