import { StoreUnavailableError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { withinTime } from '../../time-limit.ts';
import type { RedisClient } from './redis-client.ts';

/** What is known of the other side. */
export type RedisPresence = {
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

export function watchPresence(client: RedisClient, log: Log | undefined): RedisPresence {
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
