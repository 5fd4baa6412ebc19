import {
  ConnectionTimeoutError,
  ErrorReply,
  ReconnectStrategyError,
  type RedisScripts,
  SocketTimeoutError,
} from 'redis';
import { PermanentError, StoreUnavailableError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createReplicaLeaver } from '../../redis/leave-replica.ts';
import { withinTime } from '../../time-limit.ts';
import { buildClient, type Command, type RedisClient, type RedisConnection, type Send } from './redis-client.ts';
import { scripts } from './redis-scripts.ts';

/** It runs all our scripts. */
export type StoreConnection = RedisConnection<typeof scripts>;

const CLOSE_MS = 1_000;

/**
 * Connects, and from then on reconnects for ever by itself. Throws a PermanentError with a sentence for the operator
 * where the first connection cannot be made.
 */
export async function connectRedis({ url, log }: { url: string; log?: Log }): Promise<StoreConnection> {
  let hasConnected = false;
  const reconnectStrategy = (retries: number, cause: Error) => (hasConnected ? reconnectAfterMs(retries) : cause);
  const client = buildClient({ url, scripts, reconnectStrategy });
  // Before all others that hear of a connection: what it sends must be the first.
  endFormerConnections(client, log);
  const presence = watchPresence(client, log);
  try {
    await client.connect();
    hasConnected = true;
  } catch (error) {
    client.destroy();
    throw toOpenError(url, error);
  }
  return { client, send: createSender(client, presence), close: () => close(client) };
}

/** Soon, because it is mostly a restart; with a little chance in it, because all replicas lost it at once. */
function reconnectAfterMs(retries: number): number {
  return Math.min(1_000, 25 * 2 ** Math.min(retries, 6)) + Math.random() * 50;
}

async function close(client: RedisClient): Promise<void> {
  // It waits for the answers to come, and they may never do.
  if (client.isReady) await withinTime(CLOSE_MS, client.close(), () => undefined);
  client.destroy();
}

/** What is known of the other side. */
type RedisPresence = {
  /** There is no connection, or no answer: notes since when, by performance.now(). */
  lost(since: number, reason: string): void;
  /** It has answered. */
  found(): void;
  /**
   * Waits for a lost connection for a moment, because a restart is short. Throws StoreUnavailableError where it does not
   * come back, at once where it has been gone for longer.
   */
  standing(): Promise<void>;
};

/** The rest of the time in which a command has to be done is for the answer. */
const PATIENCE_MS = 1_500;

function watchPresence(client: RedisClient, log: Log | undefined): RedisPresence {
  let hasBeenThere = false;
  let goneSince: number | undefined;
  let back = Promise.withResolvers<void>();

  function lost(since: number, reason: string): void {
    // At the start whoever connects is told, with more to it.
    if (hasBeenThere && goneSince === undefined) log?.warn({ reason }, 'redis lost');
    goneSince ??= since;
  }

  function found(): void {
    if (goneSince !== undefined) log?.info({ ms: Math.round(performance.now() - goneSince) }, 'redis found again');
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
    if (!client.isReady) lost(performance.now(), error.message);
  });
  client.on('ready', found);
  return { lost, found, standing };
}

/** Past 2 s a writer has given up on us: Slack waits 3 s for an acknowledgement. */
const GIVE_UP_MS = 1_850;

/** How often to look for what waits for too long: a timer for each command would cost about as much as the command. */
const LOOK_EVERY_MS = 50;

const LOADING_POLL_MS = 50;

type Sent = { at: number; isOverdue: boolean; reject(error: StoreUnavailableError): void };

/**
 * The time limit is ours: those of the client end when a command is written, or begin anew with each write. Under load a
 * Redis that has stopped would not be found out.
 */
function createSender<Scripts extends RedisScripts>(
  client: RedisClient<Scripts>,
  presence: RedisPresence,
): Send<Scripts> {
  const leaveReplica = createReplicaLeaver(client);
  const unanswered = new Set<Sent>();
  /** How many of them were given up, and may still be answered. */
  let overdue = 0;
  let look: NodeJS.Timeout | undefined;

  return async function send<T>(command: Command<T, Scripts>): Promise<T> {
    const at = performance.now();
    // Not even written: each write would put off the moment at which the client finds the connection dead.
    if (overdue > 0) throw new StoreUnavailableError('Redis does not answer');
    if (!client.isReady) await presence.standing();
    return answerOf(command, at);
  };

  function answerOf<T>(command: Command<T, Scripts>, at: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const sent: Sent = { at, isOverdue: false, reject };
    unanswered.add(sent);
    look ??= setInterval(findOverdue, LOOK_EVERY_MS).unref();
    const settle = () => {
      unanswered.delete(sent);
      if (sent.isOverdue) overdue -= 1;
      if (sent.isOverdue && overdue === 0 && client.isReady) presence.found();
    };
    const ask = (): void => {
      command(client).then(
        (answer) => {
          settle();
          resolve(answer);
        },
        (cause: unknown) => {
          if (isLoading(cause) && !sent.isOverdue) return void setTimeout(ask, LOADING_POLL_MS);
          settle();
          leaveReplica(cause);
          reject(new StoreUnavailableError('Redis could not do it', { cause }));
        },
      );
    };
    ask();
    return promise;
  }

  function findOverdue(): void {
    const now = performance.now();
    for (const sent of unanswered) {
      // After a pause of our own process, the answers that came meanwhile are read before anything is given up.
      if (!sent.isOverdue && now - sent.at >= GIVE_UP_MS) setImmediate(giveUp, sent);
    }
    if (unanswered.size > 0) return;
    clearInterval(look);
    look = undefined;
  }

  function giveUp(sent: Sent): void {
    if (sent.isOverdue || !unanswered.has(sent)) return;
    sent.isOverdue = true;
    overdue += 1;
    presence.lost(sent.at, 'no answer');
    sent.reject(new StoreUnavailableError(`Redis did not answer within ${GIVE_UP_MS} ms`));
  }
}

/** After its start Redis reads its file, and does nothing meanwhile, not even a part of a script. */
function isLoading(error: unknown): boolean {
  return error instanceof ErrorReply && error.message.startsWith('LOADING');
}

/**
 * Ends our former connection at Redis before anything is sent on a new one. What was written to the former while the
 * network was cut may arrive once it is mended, after what the new one sent: a run that began meanwhile would lose its
 * turn to a command that we have long given up.
 *
 * By its address as well as by its id: a Redis that has restarted gives the same ids to others.
 */
function endFormerConnections(client: RedisClient, log: Log | undefined): void {
  let former: string[] | undefined;

  async function introduce(): Promise<void> {
    const info = String(await client.sendCommand(['CLIENT', 'INFO']));
    const { id, addr } = /^id=(?<id>\d+) addr=(?<addr>\S+)/.exec(info)?.groups ?? {};
    if (id && addr) former = ['ID', id, 'ADDR', addr];
  }

  function warn(error: unknown): void {
    if (error instanceof ErrorReply) log?.warn({ reason: error.message }, 'redis lets no former connection be ended');
  }

  client.on('ready', () => {
    // One that broke off before it was introduced is not known, and the one before it is ended once more.
    if (former) client.sendCommand(['CLIENT', 'KILL', ...former]).catch(warn);
    introduce().catch(warn);
  });
}

/** What an operator reads where Redis cannot be used: one sentence on what is wrong, one on what to do. */
export function toOpenError(url: string, error: unknown): PermanentError {
  if (error instanceof PermanentError) return error;
  const cause = toCause(error);
  return new PermanentError('store_not_opened', toSentence(cause)(new URL(url).host), { cause });
}

/** What the client, or our connection, has wrapped. */
function toCause(error: unknown): unknown {
  if (error instanceof ReconnectStrategyError) return error.originalError;
  return error instanceof StoreUnavailableError ? (error.cause ?? error) : error;
}

const SILENCES = [ConnectionTimeoutError, SocketTimeoutError, StoreUnavailableError];

function toSentence(error: unknown): Sentence {
  if (SILENCES.some((silence) => error instanceof silence)) return SILENT;
  if (!(error instanceof ErrorReply)) return UNREACHABLE;
  const code = error.message.split(' ', 1)[0] ?? '';
  return SENTENCES[code] ?? ((host) => refusing(host, code));
}

/** `host` is without the name and password that the address may carry. */
type Sentence = (host: string) => string;

const UNREACHABLE: Sentence = (host) =>
  `Redis at ${host} (REDIS_URL) cannot be reached. Start it, or name one that runs; behind TLS its address begins with rediss://.`;

const SILENT: Sentence = (host) =>
  `Redis at ${host} (REDIS_URL) does not answer. See whether it runs, whether it speaks TLS (rediss://) or not (redis://), and what stands between.`;

const WRONG_USER: Sentence = (host) =>
  `Redis at ${host} (REDIS_URL) refuses the name or password. Put them into the address: redis://name:password@host:port.`;

/** By the first word of what Redis answers, which is its code. */
const SENTENCES: Record<string, Sentence> = {
  NOAUTH: WRONG_USER,
  WRONGPASS: WRONG_USER,
  NOPERM: (host) =>
    `The user in REDIS_URL may not do all that is needed on ${host}. Allow them all commands on the keys and channels bridge:*.`,
  ERR: (host) => `Redis at ${host} (REDIS_URL) does not understand us. Use Redis 7 or later, or Valkey.`,
};

/** LOADING, OOM, MISCONF, NOREPLICAS, READONLY and others: https://redis.io/docs/latest/develop/reference/protocol-spec */
function refusing(host: string, code: string): string {
  return `Redis at ${host} (REDIS_URL) cannot be used now and answers ${code}. See its log, mend that, then start again.`;
}
