import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../log.ts';
import { type Bucket, createBestEffortBuckets, type TokenBuckets } from './buckets.ts';
import { METHODS, type Method } from './limits.ts';
import type { CallWithToken, Importance, SlackMethod } from './methods.ts';
import { SlackRateLimitedError, SlackUnavailableError } from './slack-errors.ts';

/** Returns how long to wait (ms). `waitMs`: the time until the next token is free. */
export type JoinLine = (buckets: readonly Bucket[], waitMs: number) => number;

/** The share of each bucket that a call leaves for more important calls. */
const RESERVES: Record<Importance, number> = { answer: 0, reply: 0, notice: 0.25, extra: 0.5 };

/** All waits of one call together. Instead of a longer wait the call fails, and its turn is run again later. */
const MAX_WAIT_MS = 1_500;

/** The longest wait. Nobody reports that they leave the line, so its length is only a guess. */
const MAX_LINE_MS = 60_000;

/** Other replicas have lines of their own: jitter, to avoid a thundering herd. */
const JITTER = 0.2;

const MAX_LINES = 10_000;

/**
 * Keeps calls within Slack's limits, counted together with everybody who shares the buckets. A call waits briefly for
 * room; if that is not enough, or Slack answers 429, it throws SlackRateLimitedError. After a 429 nobody calls that method
 * in that workspace before Retry-After. If the buckets fail, calls are made uncounted.
 */
export function withBudgets(
  call: CallWithToken,
  { log, now, ...ports }: { buckets: TokenBuckets; now(): number; log: Log },
): CallWithToken {
  const buckets = createBestEffortBuckets(ports.buckets, log);
  const takeTokens = createTaker(buckets, now);

  return async (method, by, args, importance = 'answer', signal) => {
    const wanted = toBuckets(method, by.workspace, args);
    await takeTokens(method, wanted, importance, signal);
    try {
      return await call(method, by, args, importance, signal);
    } catch (error) {
      if (error instanceof SlackRateLimitedError && error.retryAfterMs) {
        log.warn({ method, retryAfterMs: error.retryAfterMs }, 'slack asks to wait');
        await buckets.block(wanted[0].key, error.retryAfterMs);
      }
      throw error;
    }
  };
}

/**
 * The buckets that a call counts in. The first is that of the method in the workspace: a 429 is about this one, and not
 * about other methods and workspaces.
 */
function toBuckets(method: SlackMethod, workspace: string, args: object): [Bucket, ...Bucket[]] {
  const rates: Method = METHODS[method];
  const key = `${method}:${workspace}`;
  const inWorkspace = { key, ...rates.workspace };
  return rates.channel ? [inWorkspace, { key: `${key}:${readChannel(args)}`, ...rates.channel }] : [inWorkspace];
}

/**
 * Spreads the callers who got no token over the moments at which tokens become free. If all came back at the same
 * moment, all but one would fail again, each after a whole run of its turn.
 */
export function createWaitingLine(now: () => number): JoinLine {
  /** By bucket: when the last in line comes back. */
  const ends = new LRUCache<string, number>({ maxSize: MAX_LINES, sizeCalculation: () => 1 });
  return (buckets, waitMs) => {
    const at = now();
    let backAt = at + waitMs;
    for (const { key, limit, perMs } of buckets) {
      const next = Math.max(at + waitMs, (ends.get(key) ?? Number.NEGATIVE_INFINITY) + perMs / limit);
      ends.set(key, Math.min(next, at + MAX_LINE_MS));
      backAt = Math.max(backAt, next);
    }
    const toldMs = Math.min(backAt - at, MAX_LINE_MS);
    return Math.ceil(toldMs * (1 + JITTER * Math.random()));
  };
}

function createTaker(buckets: TokenBuckets, now: () => number) {
  const joinLine = createWaitingLine(now);
  return async (
    method: SlackMethod,
    wanted: Bucket[],
    importance: Importance,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    let waitedMs = 0;
    for (;;) {
      const emptyMs = await buckets.take(wanted, RESERVES[importance]);
      if (emptyMs === 0) return;
      if (importance === 'extra') throw new SlackRateLimitedError(method, emptyMs);
      const waitMs = joinLine(wanted, emptyMs);
      if (importance === 'reply' || waitedMs + waitMs > MAX_WAIT_MS) throw new SlackRateLimitedError(method, waitMs);
      await sleep(waitMs, undefined, signal && { signal }).catch((cause: unknown) => {
        throw new SlackUnavailableError(method, { cause });
      });
      waitedMs += waitMs;
    }
  };
}

function readChannel(args: { channel?: unknown; channel_id?: unknown }): string {
  return String(args.channel ?? args.channel_id ?? '');
}
