import { createClient, type RedisScripts } from 'redis';

/** Without `Scripts`, it runs none of ours. One that runs more of them is as good. */
export type RedisClient<Scripts extends RedisScripts = NoScripts> = ReturnType<typeof buildClient<Scripts>>;

type NoScripts = Record<never, never>;

/** The one connection that store, locks, buckets and announcements share. What is sent in one tick goes in one write. */
export type RedisConnection<Scripts extends RedisScripts = NoScripts> = {
  /** Not for commands, which could wait for ever on it: for what needs a connection of its own like this one. */
  readonly client: RedisClient<Scripts>;
  readonly send: Send<Scripts>;
  close(): Promise<void>;
};

/** Sends commands. Throws StoreUnavailableError within 2 s, whatever state Redis is in: they may have been done or not. */
export type Send<Scripts extends RedisScripts = NoScripts> = <T>(command: Command<T, Scripts>) => Promise<T>;

export type Command<T, Scripts extends RedisScripts> = (client: RedisClient<Scripts>) => Promise<T>;

type ClientOptions<Scripts> = {
  url: string;
  scripts: Scripts;
  reconnectStrategy(retries: number, cause: Error): number | Error;
};

const CONNECT_MS = 2_000;

/**
 * A connection on which nothing moves for so long, not even the answer to a ping, is dead. Long enough for a pause of our
 * own process not to look like one; commands are given up long before.
 */
const SILENCE_MS = 4_000;
const PING_MS = 1_000;

export function buildClient<Scripts extends RedisScripts>(options: ClientOptions<Scripts>) {
  const { url, scripts, reconnectStrategy } = options;
  return createClient({
    url,
    scripts,
    name: 'assistant-bridge',
    // A command that waited here could still be written after whoever sent it was told that it had failed.
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    maintNotifications: 'disabled',
    // Its own time limit costs a signal per command, and does not count once the command is written.
    commandOptions: { timeout: undefined },
    socket: { connectTimeout: CONNECT_MS, socketTimeout: SILENCE_MS, reconnectStrategy },
  });
}
