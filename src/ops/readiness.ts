// /ready and /health, and the event loop lag that decides /health.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { withinTime } from '../time-limit.ts';

/** The same time for which intake waits for the store: a store that intake can use is ready. */
const CHECK_LIMIT_MS = 2_000;

/** How long a result is reused, because anybody can probe. */
const REUSE_MS = 1_000;

/** Load balancers probe more often than this. */
const ASKED_LATELY_MS = 60_000;

/** The time for load balancers to notice the drain: a few probes at one per second. */
const NOTICE_MS = 5_000;

/**
 * `check`: resolves if the store can be written. With Socket Mode, the connection to Slack is checked as well. The
 * assistant service is not checked: without it, questions are still accepted and wait, and all replicas would go out at
 * once.
 */
export function createReadiness({ check }: { check(): Promise<void> }) {
  let isDraining = false;
  let isConnected = () => true;
  let askedAt = Number.NEGATIVE_INFINITY;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isStoreGood = Promise.resolve(false);

  function checkStore(): Promise<boolean> {
    if (performance.now() - checkedAt < REUSE_MS) return isStoreGood;
    checkedAt = performance.now();
    isStoreGood = withinTime(CHECK_LIMIT_MS, check()).then(
      () => true,
      () => false,
    );
    return isStoreGood;
  }

  async function currentWord(): Promise<ReadyWord> {
    if (!isDraining && !(await checkStore())) return 'store_unavailable';
    if (isDraining) return 'draining';
    return isConnected() ? 'ready' : 'slack_unavailable';
  }

  return {
    /** `/ready`: whether to send requests here. */
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      askedAt = performance.now();
      answerProbe(request, response, await currentWord());
    },
    /** From now on reports `slack_unavailable` while this returns false. */
    watchSlack(check: () => boolean): void {
      isConnected = check;
    },
    /**
     * Reports not ready from now on. Resolves after five seconds, or at once if nobody probed within the last minute. Keep
     * accepting requests until then: Slack repeats neither commands nor clicks.
     */
    async startDraining(): Promise<void> {
      isDraining = true;
      if (performance.now() - askedAt > ASKED_LATELY_MS) return;
      await new Promise((resolve) => setTimeout(resolve, NOTICE_MS));
    },
  };
}

/** Repeated longer blocks are a failure that a restart may end. */
const MAX_LAG_MS = 1_000;

/** `/health`: whether this process works. Checks nothing outside it, which a restart would not fix. */
export function createHealth(eventLoopLagMs: () => number) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    answerProbe(request, response, eventLoopLagMs() < MAX_LAG_MS ? 'ok' : 'event_loop_blocked');
  };
}

const TICK_MS = 250;

const WINDOW_MS = 5_000;

/**
 * Measures with a timer, which is late by as much as the event loop was blocked. `startMs`: blocks in this time from now
 * on do not count, because a start loads code and writes the compile cache.
 */
export function createEventLoopLag(startMs = 0) {
  const countsFrom = performance.now() + startMs;
  let tickedAt = performance.now();
  let windowBegan = tickedAt;
  let longestMs = 0;
  let longestBeforeMs = 0;

  function tick(): void {
    const at = performance.now();
    if (at - windowBegan >= WINDOW_MS) {
      longestBeforeMs = longestMs;
      longestMs = 0;
      windowBegan = at;
    }
    if (tickedAt >= countsFrom) longestMs = Math.max(longestMs, at - tickedAt - TICK_MS);
    tickedAt = at;
  }

  const timer = setInterval(tick, TICK_MS).unref();
  return {
    /** The longest event loop block within the last five to ten seconds, in ms. */
    recentMs(): number {
      // After a block, a request may be served before the overdue timer.
      const overdueMs = tickedAt >= countsFrom ? performance.now() - tickedAt - TICK_MS : 0;
      return Math.max(longestMs, longestBeforeMs, overdueMs, 0);
    },
    stop: () => clearInterval(timer),
  };
}

/** What the probes say. Public: anybody can ask. The doctor has a sentence for each. */
export type ReadyWord = 'ready' | 'store_unavailable' | 'draining' | 'slack_unavailable';
export type HealthWord = 'ok' | 'event_loop_blocked';

/** 200 or 503, with the word as JSON. */
export function answerProbe(request: IncomingMessage, response: ServerResponse, status: ReadyWord | HealthWord): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  response.writeHead(status === 'ready' || status === 'ok' ? 200 : 503, HEADERS).end(JSON.stringify({ status }));
}

const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };
