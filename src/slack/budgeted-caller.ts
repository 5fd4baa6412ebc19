import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Log } from '../log.ts';
import { createBestEffortBuckets } from './best-effort-buckets.ts';
import { type HistoryLimit, RESERVES, toBuckets } from './budgets.ts';
import type { Importance, SlackCaller } from './slack-caller.ts';
import { SlackRateLimitedError } from './slack-errors.ts';
import type { Bucket, TokenBuckets } from './token-buckets.ts';
import { createWaitingLine } from './waiting-line.ts';

/** All waits of one call together. What takes longer is waited for by the turn, which holds up nothing meanwhile. */
const MAX_WAIT_MS = 1_500;

const MAX_WORKSPACES = 10_000;

/**
 * A caller that keeps within Slack's limits, counted together with all who use the same buckets. It waits a moment for
 * its turn; where that is not enough it throws SlackRateLimitedError, as it does where Slack says 429, and nobody calls
 * that method in that workspace again before Retry-After. Where the buckets fail, calls are made uncounted.
 */
export function createBudgetedCaller(ports: {
  call: SlackCaller;
  buckets: TokenBuckets;
  historyLimit?: HistoryLimit;
  now(): number;
  log: Log;
}): SlackCaller {
  const { call, historyLimit, log } = ports;
  const buckets = createBestEffortBuckets(ports.buckets, ports.now, log);
  const line = createWaitingLine(ports.now);
  const workspaces = new LRUCache<string, string>({ max: MAX_WORKSPACES });

  /** The app has one bot token in each workspace, and all replicas use the same. */
  function toWorkspace(token: string): string {
    const known = workspaces.get(token);
    if (known) return known;
    const workspace = createHash('sha256').update(token).digest('base64url').slice(0, 22);
    workspaces.set(token, workspace);
    return workspace;
  }

  async function takeTokens(method: string, wanted: Bucket[], importance: Importance): Promise<void> {
    let waitedMs = 0;
    for (;;) {
      const emptyMs = await buckets.take(wanted, RESERVES[importance]);
      if (emptyMs === 0) return;
      if (importance === 'extra') throw new SlackRateLimitedError(method, emptyMs);
      const waitMs = line.join(wanted, emptyMs);
      if (importance === 'reply' || waitedMs + waitMs > MAX_WAIT_MS) throw new SlackRateLimitedError(method, waitMs);
      await sleep(waitMs);
      waitedMs += waitMs;
    }
  }

  return async (method, token, args, importance = 'answer') => {
    const wanted = toBuckets(method, toWorkspace(token), args, historyLimit);
    await takeTokens(method, wanted, importance);
    try {
      return await call(method, token, args, importance);
    } catch (error) {
      if (error instanceof SlackRateLimitedError && error.retryAfterMs) {
        log.warn({ method, retryAfterMs: error.retryAfterMs }, 'slack asks to wait');
        await buckets.block(wanted[0].key, error.retryAfterMs);
      }
      throw error;
    }
  };
}
