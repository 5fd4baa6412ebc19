import { type CommandParser, createClient, defineScript, type RedisScripts } from 'redis';
import { toServerName } from '../../redis/server-name.ts';

/** `Scripts`: the scripts it can run. A client with more scripts is assignable. */
export type RedisClient<Scripts extends RedisScripts = NoScripts> = ReturnType<typeof buildClient<Scripts>>;

type NoScripts = Record<never, never>;

/** The connection shared by store, locks, buckets and announcements. Commands of one tick go out in one write. */
export type RedisConnection<Scripts extends RedisScripts = NoScripts> = {
  /** For duplicating the connection. Not for commands, which have no time limit here: use `send`. */
  readonly client: RedisClient<Scripts>;
  readonly send: Send<Scripts>;
  close(): Promise<void>;
};

/** Sends a command. Throws StoreUnavailableError within 2 s; the command may have been executed or not. */
export type Send<Scripts extends RedisScripts = NoScripts> = <T>(command: Command<T, Scripts>) => Promise<T>;

export type Command<T, Scripts extends RedisScripts> = (client: RedisClient<Scripts>) => Promise<T>;

type ClientOptions<Scripts> = {
  url: string;
  scripts: Scripts;
  reconnectStrategy(retries: number, cause: Error): number | Error;
};

const CONNECT_MS = 2_000;

/**
 * A connection without traffic for so long, not even a pong, is dead. Long enough for a pause of our own process;
 * commands time out long before.
 */
const SILENCE_MS = 4_000;
const PING_MS = 1_000;

export function buildClient<Scripts extends RedisScripts>(options: ClientOptions<Scripts>) {
  const { url, scripts, reconnectStrategy } = options;
  return createClient({
    url,
    scripts,
    name: 'assistant-bridge',
    // A queued command could be executed after its sender was told that it had failed.
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    maintNotifications: 'disabled',
    // The client's time limit costs a signal per command and ends once the command is written.
    commandOptions: { timeout: undefined },
    socket: { ...toServerName(url), connectTimeout: CONNECT_MS, socketTimeout: SILENCE_MS, reconnectStrategy },
  });
}

/**
 * A Lua script for the client's `scripts`. The client sends its digest, and the text if Redis does not know it (after a
 * restart, a fail-over, SCRIPT FLUSH). `Reply`: what the script returns.
 */
export function redisScript<Reply>(text: string) {
  return defineScript({
    SCRIPT: text,
    parseCommand(parser: CommandParser, keys: string[], args: (string | number)[] = []) {
      parser.pushKeysLength(keys);
      parser.push(...args.map(String));
    },
    transformReply: (reply: Reply) => reply,
  });
}

/** A full Redis runs it as well: then it refuses new questions, and those that it has are finished. */
export function redisScriptWhenFull<Reply>(text: string) {
  return redisScript<Reply>(`#!lua flags=allow-oom${text}`);
}
