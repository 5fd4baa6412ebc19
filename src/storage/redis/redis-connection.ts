import {
  ConnectionTimeoutError,
  ErrorReply,
  ReconnectStrategyError,
  type RedisScripts,
  SocketTimeoutError,
} from 'redis';
import { PermanentError, StoreUnavailableError } from '../../errors.ts';
import { createFaultLog } from '../../fault-log.ts';
import type { Log } from '../../log.ts';
import { createReplicaLeaver } from '../../redis/leave-replica.ts';
import { withinTime } from '../../time-limit.ts';
import { adviseOnCertificate, findErrorCode, isCertificateCode } from '../../tls-fault.ts';
import { buildClient, type Command, type RedisClient, type RedisConnection, type Send } from './redis-client.ts';

/** `scripts`: all scripts that are ever run. node-redis needs them when the client is created. */
type RedisAddress<Scripts> = { url: string; scripts: Scripts; log?: Log | undefined };

const CLOSE_MS = 1_000;

/**
 * Connects, and reconnects for ever after that. Throws a PermanentError with a sentence for the operator if the first
 * connection fails.
 */
export async function connectRedis<Scripts extends RedisScripts>({
  url,
  scripts,
  log,
}: RedisAddress<Scripts>): Promise<RedisConnection<Scripts>> {
  let hasConnected = false;
  const reconnectStrategy = (retries: number, cause: Error) => (hasConnected ? reconnectAfterMs(retries) : cause);
  const client = buildClient({ url, scripts, reconnectStrategy });
  // Before other `ready` listeners: its command must be the first on a new connection.
  endFormerConnections(client, log);
  const presence = watchPresence(client, log);
  try {
    await client.connect();
    hasConnected = true;
  } catch (error) {
    client.destroy();
    throw toOpenError(url, error);
  }
  return { client, send: createSender(client, presence, log), close: () => close(client) };
}

/** Short, because most outages are restarts. Jitter avoids a thundering herd. */
function reconnectAfterMs(retries: number): number {
  return Math.min(1_000, 25 * 2 ** Math.min(retries, 6)) + Math.random() * 50;
}

async function close(client: RedisClient): Promise<void> {
  // `close` waits for pending replies, which may never come.
  if (client.isReady) await withinTime(CLOSE_MS, client.close(), () => undefined);
  client.destroy();
}

/** Whether Redis is there. */
type RedisPresence = {
  /** No connection or no reply, `since` then (performance.now()). */
  lost(since: number, reason: string): void;
  /** Redis executed a command, or refused it: while it loads its file it does neither. */
  found(): void;
  /**
   * Waits briefly for a lost connection, because a restart is short. Throws StoreUnavailableError if it does not come
   * back, and at once if it has been gone for longer.
   */
  standing(): Promise<void>;
};

/** Leaves the rest of GIVE_UP_MS for the reply. */
const PATIENCE_MS = 1_500;

function watchPresence(client: RedisClient, log: Log | undefined): RedisPresence {
  let hasBeenThere = false;
  let goneSince: number | undefined;
  let back = Promise.withResolvers<void>();

  function lost(since: number, reason: string): void {
    // Before the first connection the error is thrown instead.
    if (hasBeenThere && goneSince === undefined) log?.warn({ reason }, 'redis lost');
    goneSince ??= since;
  }

  function found(): void {
    if (goneSince !== undefined) log?.info({ ms: Math.round(performance.now() - goneSince) }, 'redis reconnected');
    hasBeenThere = true;
    goneSince = undefined;
    back.resolve();
    back = Promise.withResolvers();
  }

  async function standing(): Promise<void> {
    if (client.isReady) return;
    const now = performance.now();
    const patienceMs = (goneSince ?? now) + PATIENCE_MS - now;
    if (patienceMs > 0) await withinTime(patienceMs, back.promise, () => undefined);
    if (!client.isReady) throw new StoreUnavailableError('Redis cannot be reached');
  }

  // Without a listener the first error would end the process.
  client.on('error', (error: Error) => {
    const code = findErrorCode(error);
    if (!client.isReady) lost(performance.now(), isCertificateCode(code) ? code : error.message);
  });
  client.on('ready', found);
  return { lost, found: () => void (goneSince !== undefined && found()), standing };
}

/** Callers give up after 2 s, because Slack waits 3 s for an acknowledgement. */
const GIVE_UP_MS = 1_850;

/** How often to check for overdue commands: a timer per command would cost about as much as the command. */
const CHECK_EVERY_MS = 50;

const LOADING_POLL_MS = 50;

type Sent = { at: number; isOverdue: boolean; reject(error: StoreUnavailableError): void };

/**
 * Has its own time limit: the client's limits end when a command is written, or restart with each write, so under load
 * they would not detect a Redis that has stopped.
 */
function createSender<Scripts extends RedisScripts>(
  client: RedisClient<Scripts>,
  presence: RedisPresence,
  log: Log | undefined,
): Send<Scripts> {
  const leaveReplica = createReplicaLeaver(client);
  const logRefusal = log && createFaultLog(log, 'store refuses');
  const unanswered = new Set<Sent>();
  /** How many of them timed out and may still be answered. */
  let overdue = 0;
  let checking: NodeJS.Timeout | undefined;

  return async function send<T>(command: Command<T, Scripts>): Promise<T> {
    const at = performance.now();
    // Do not even write: each write would delay the client's detection of a dead connection.
    if (overdue > 0) throw new StoreUnavailableError('Redis does not answer');
    if (!client.isReady) await presence.standing();
    return answerOf(command, at);
  };

  function answerOf<T>(command: Command<T, Scripts>, at: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const sent: Sent = { at, isOverdue: false, reject };
    unanswered.add(sent);
    checking ??= setInterval(findOverdue, CHECK_EVERY_MS).unref();
    const markAnswered = (isThere: boolean) => {
      unanswered.delete(sent);
      if (sent.isOverdue) overdue -= 1;
      if (isThere && overdue === 0 && client.isReady) presence.found();
    };
    const ask = (): void => {
      command(client).then(
        (answer) => {
          markAnswered(true);
          resolve(answer);
        },
        (cause: unknown) => {
          if (isLoading(cause) && !sent.isOverdue) return void setTimeout(ask, LOADING_POLL_MS);
          markAnswered(cause instanceof ErrorReply && !isLoading(cause));
          leaveReplica(cause);
          if (cause instanceof ErrorReply) logRefusal?.(toCode(cause), { reason: toCode(cause) });
          reject(new StoreUnavailableError('Redis could not execute the command', { cause }));
        },
      );
    };
    ask();
    return promise;
  }

  function findOverdue(): void {
    const now = performance.now();
    for (const sent of unanswered) {
      // After a pause of our own process, read replies that arrived meanwhile first.
      if (!sent.isOverdue && now - sent.at >= GIVE_UP_MS) setImmediate(giveUp, sent);
    }
    if (unanswered.size > 0) return;
    clearInterval(checking);
    checking = undefined;
  }

  function giveUp(sent: Sent): void {
    if (sent.isOverdue || !unanswered.has(sent)) return;
    sent.isOverdue = true;
    overdue += 1;
    presence.lost(sent.at, 'no answer');
    sent.reject(new StoreUnavailableError(`Redis did not answer within ${GIVE_UP_MS} ms`));
  }
}

/** While Redis loads its file after a start it executes nothing, not even part of a script. */
function isLoading(error: unknown): boolean {
  return error instanceof ErrorReply && error.message.startsWith('LOADING');
}

/**
 * Kills our previous connection on the Redis side before anything is sent on a new one. Commands written to the old one
 * during a network partition could otherwise arrive later than those of the new one, long after we gave them up.
 *
 * The address is checked as well as the id: a restarted Redis reuses ids.
 */
function endFormerConnections(client: RedisClient, log: Log | undefined): void {
  let former: string[] | undefined;

  async function introduce(): Promise<void> {
    const info = String(await client.sendCommand(['CLIENT', 'INFO']));
    const { id, addr } = /^id=(?<id>\d+) addr=(?<addr>\S+)/.exec(info)?.groups ?? {};
    if (id && addr) former = ['ID', id, 'ADDR', addr];
  }

  function warn(error: unknown): void {
    if (error instanceof ErrorReply) log?.warn({ reason: error.message }, 'former redis connection not ended');
  }

  client.on('ready', () => {
    // If a connection broke before its id was read, the one before it is killed again.
    if (former) client.sendCommand(['CLIENT', 'KILL', ...former]).catch(warn);
    introduce().catch(warn);
  });
}

/** An error for operators: one sentence on what is wrong, one on what to do. */
export function toOpenError(url: string, error: unknown): PermanentError {
  if (error instanceof PermanentError) return error;
  const cause = toCause(error);
  return new PermanentError('store_not_opened', toSentence(cause)(new URL(url).host), { cause });
}

/** The cause wrapped by the client or our connection. */
function toCause(error: unknown): unknown {
  if (error instanceof ReconnectStrategyError) return error.originalError;
  return error instanceof StoreUnavailableError ? (error.cause ?? error) : error;
}

const SILENCES = [ConnectionTimeoutError, SocketTimeoutError, StoreUnavailableError];

function toSentence(error: unknown): Sentence {
  if (SILENCES.some((silence) => error instanceof silence)) return SILENT;
  const certificateCode = findErrorCode(error);
  const advice = adviseOnCertificate(certificateCode);
  if (advice) return (host) => `Redis at ${host} (REDIS_URL) cannot be reached (${certificateCode}). ${advice}`;
  if (!(error instanceof ErrorReply)) return UNREACHABLE;
  const code = toCode(error);
  return SENTENCES[code] ?? ((host) => refusing(host, code));
}

/** The first word of an error reply. The rest may quote what was sent. */
function toCode(error: ErrorReply): string {
  return error.message.split(' ', 1)[0] ?? '';
}

/** `host`: without user name and password. */
type Sentence = (host: string) => string;

const UNREACHABLE: Sentence = (host) =>
  `Redis at ${host} (REDIS_URL) cannot be reached. Start it, or set the address of one that runs. With TLS, the address begins with rediss://.`;

const SILENT: Sentence = (host) =>
  `Redis at ${host} (REDIS_URL) does not answer. Check whether it runs, whether it speaks TLS (rediss://) or not (redis://), and whether a firewall blocks it.`;

const WRONG_USER: Sentence = (host) =>
  `Redis at ${host} (REDIS_URL) refuses the name or password. Put them into the address: redis://name:password@host:port.`;

/** By the first word of Redis's error reply, which is its code. */
const SENTENCES: Record<string, Sentence> = {
  NOAUTH: WRONG_USER,
  WRONGPASS: WRONG_USER,
  NOPERM: (host) =>
    `The user in REDIS_URL may not do all that is needed on ${host}. Allow them all commands on the keys and channels bridge:*.`,
  ERR: (host) => `Redis at ${host} (REDIS_URL) lacks a command that we need. Use Redis 7 or later, or Valkey.`,
};

/** LOADING, OOM, MISCONF, NOREPLICAS, READONLY and others: https://redis.io/docs/latest/develop/reference/protocol-spec */
function refusing(host: string, code: string): string {
  return `Redis at ${host} (REDIS_URL) cannot be used now: it answers ${code}. See its log, solve the problem, then start again.`;
}
