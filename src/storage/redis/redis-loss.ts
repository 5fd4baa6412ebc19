import { randomUUID } from 'node:crypto';
import type { Log } from '../../log.ts';
import type { RedisConnection } from './redis-client.ts';
import { ARRIVALS, STORE_ID } from './redis-keys.ts';

/** How often to check, in ms. A new connection is checked at once. */
const LOOK_EVERY_MS = 2_000;

/** Identifies a Redis and its state: an id that stays, and a counter that only grows. */
type Seen = { id: string; arrivals: number };

/**
 * Notices that Redis lost records: it was flushed, replaced, restored, or failed over to an earlier state. It cannot be
 * undone, so this only logs it. Two seconds of questions may be lost unnoticed.
 * Throws StoreUnavailableError if the first look fails.
 */
export async function watchForLoss(redis: RedisConnection, log: Log | undefined): Promise<() => void> {
  let seen = await look(redis);
  let isLooking = false;

  async function lookAgain(): Promise<void> {
    const found = await look(redis);
    if (found.id !== seen.id || found.arrivals < seen.arrivals) {
      const isOther = found.id !== seen.id;
      log?.error({ isOther, recordsBefore: seen.arrivals, recordsNow: found.arrivals }, 'redis lost records');
    }
    seen = found;
  }

  async function tryToLook(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    // An unreachable Redis is reported elsewhere.
    await lookAgain().catch(() => undefined);
    isLooking = false;
  }

  const timer = setInterval(tryToLook, LOOK_EVERY_MS).unref();
  redis.client.on('ready', tryToLook);
  return () => {
    clearInterval(timer);
    redis.client.off('ready', tryToLook);
  };
}

/** Gives Redis an id if it has none. */
async function look({ send }: RedisConnection): Promise<Seen> {
  const ours = randomUUID();
  const [id, arrivals] = await send((client) => client.mGet([STORE_ID, ARRIVALS]));
  if (id) return { id, arrivals: Number(arrivals ?? 0) };
  // Another replica may be faster: then its id counts.
  const former = await send((client) => client.set(STORE_ID, ours, { condition: 'NX', GET: true }));
  return { id: former ?? ours, arrivals: Number(arrivals ?? 0) };
}
