import { ErrorReply, type RedisScripts } from 'redis';
import { StoreUnavailableError } from '../../errors.ts';
import { createReplicaLeaver } from '../../redis/leave-replica.ts';
import type { Command, RedisClient, Send } from './redis-client.ts';
import type { RedisPresence } from './redis-presence.ts';

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
export function createSender<Scripts extends RedisScripts>(
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
