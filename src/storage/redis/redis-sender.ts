import { ErrorReply } from 'redis';
import { StoreUnavailableError } from '../../errors.ts';
import type { RedisClient } from './redis-connection.ts';
import type { RedisPresence } from './redis-presence.ts';

/** Sends commands. Throws StoreUnavailableError within 2 s, whatever state Redis is in: they may have been done or not. */
export type Send = <T>(command: Command<T>) => Promise<T>;

type Command<T> = (client: RedisClient) => Promise<T>;

/** Past this a writer has given up on us: Slack waits 3 s for an acknowledgement. */
const GIVE_UP_MS = 1_900;

const LOADING_POLL_MS = 50;

/**
 * The time limit is ours: those of the client end when a command is written, or begin anew with each write. Under load a
 * Redis that has stopped would not be found out.
 */
export function createSender(client: RedisClient, presence: RedisPresence): Send {
  /** Commands that were given up and may still be answered. */
  let overdue = 0;

  return async function send<T>(command: Command<T>): Promise<T> {
    const givenUpAt = performance.now() + GIVE_UP_MS;
    // Not even written: each write would put off the moment at which the client finds the connection dead.
    if (overdue > 0) throw new StoreUnavailableError('Redis does not answer');
    if (!client.isReady) await presence.standing();
    return answerOf(askUntilLoaded(client, command, givenUpAt), givenUpAt);
  };

  function answerOf<T>(reply: Promise<T>, givenUpAt: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let state: 'waiting' | 'overdue' | 'settled' = 'waiting';
    const giveUp = () => {
      if (state !== 'waiting') return;
      state = 'overdue';
      overdue += 1;
      presence.lost(givenUpAt - GIVE_UP_MS, 'no answer');
      reject(new StoreUnavailableError(`Redis did not answer within ${GIVE_UP_MS} ms`));
    };
    // After a pause of our own process, the answers that came meanwhile are read before anything is given up.
    const timer = setTimeout(() => setImmediate(giveUp), givenUpAt - performance.now());
    const settle = () => {
      if (state === 'overdue') overdue -= 1;
      if (state === 'overdue' && overdue === 0 && client.isReady) presence.found();
      state = 'settled';
      clearTimeout(timer);
    };
    reply.then(resolve, (cause: unknown) => reject(new StoreUnavailableError('Redis could not do it', { cause })));
    reply.then(settle, settle);
    return promise;
  }
}

/** After its start Redis reads its file, and does nothing meanwhile, not even a part of a script. */
async function askUntilLoaded<T>(client: RedisClient, command: Command<T>, givenUpAt: number): Promise<T> {
  for (;;) {
    try {
      return await command(client);
    } catch (error) {
      const isLoading = error instanceof ErrorReply && error.message.startsWith('LOADING');
      if (!isLoading || performance.now() + LOADING_POLL_MS > givenUpAt) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOADING_POLL_MS));
  }
}
