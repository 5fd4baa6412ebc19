import type { IncomingMessage, ServerResponse } from 'node:http';
import { withinTime } from '../time-limit.ts';

export type ReadinessOptions = {
  /** Resolves where the store answers and can be written. */
  check(): Promise<void>;
  /** How long balancers get to notice that we are going, in ms. Default 5 s: a look a second, and a few to be sure. */
  noticeMs?: number;
};

export type Readiness = {
  /** `/ready`: whether to send requests here. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /**
   * From now on says that we are not ready. Resolves once nobody sends us anything any more: at once where nobody has
   * asked for a minute, so that nobody balances by what we say, else after `noticeMs`. Until then go on taking in:
   * Slack repeats neither commands nor clicks.
   */
  startDraining(): Promise<void>;
};

/** As long as a question may wait for the store: what intake lives through is no reason to be left out. */
const CHECK_LIMIT_MS = 2_000;

/** Anybody can ask, so a look at the store is good for so long, however it went. */
const REUSE_MS = 1_000;

/** Whoever balances by what we say asks more often than that. */
const ASKED_LATELY_MS = 60_000;

/**
 * Looks at the store alone. Without the assistant service we are of use all the same: questions are taken in, and wait;
 * and every replica would be taken out at once.
 */
export function createReadiness({ check, noticeMs = 5_000 }: ReadinessOptions): Readiness {
  let isDraining = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isStoreGood = Promise.resolve(false);

  function look(): Promise<boolean> {
    if (performance.now() - lookedAt < REUSE_MS) return isStoreGood;
    lookedAt = performance.now();
    isStoreGood = passes(check);
    return isStoreGood;
  }

  async function currentResult(): Promise<ProbeResult> {
    if (!isDraining && !(await look())) return { isGood: false, status: 'store_unavailable' };
    return isDraining ? { isGood: false, status: 'draining' } : { isGood: true, status: 'ready' };
  }

  return {
    async handle(request, response) {
      askedAt = performance.now();
      answerProbe(request, response, await currentResult());
    },
    async startDraining() {
      isDraining = true;
      if (performance.now() - askedAt > ASKED_LATELY_MS) return;
      await new Promise((resolve) => setTimeout(resolve, noticeMs));
    },
  };
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  try {
    await withinTime(CHECK_LIMIT_MS, check());
    return true;
  } catch {
    return false;
  }
}

/** Standing still for longer, again and again, is a fault that a restart may end. */
const MAX_LAG_MS = 1_000;

/** `/health`: whether this process works at all. It looks at nothing outside: a restart would not mend that. */
export function createHealth(eventLoopLagMs: () => number) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const isGood = eventLoopLagMs() < MAX_LAG_MS;
    answerProbe(request, response, { isGood, status: isGood ? 'ok' : 'event_loop_blocked' });
  };
}

/** How a look at the process went, in one word for whoever reads it: anybody can. */
type ProbeResult = { isGood: boolean; status: string };

/** 200 or 503, with the word as JSON. */
function answerProbe(request: IncomingMessage, response: ServerResponse, { isGood, status }: ProbeResult): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  response
    .writeHead(isGood ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ status }));
}

export type EventLoopLag = {
  /** The longest that the event loop stood still lately, in ms: within the last five to ten seconds. */
  recentMs(): number;
  stop(): void;
};

const TICK_MS = 250;

const WINDOW_MS = 5_000;

/** Watches with a timer, which is late by as much as the event loop stood still. */
export function createEventLoopLag(): EventLoopLag {
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
    longestMs = Math.max(longestMs, at - tickedAt - TICK_MS);
    tickedAt = at;
  }

  const timer = setInterval(tick, TICK_MS).unref();
  return {
    // After a standstill a request may be served before the timer that is due.
    recentMs: () => Math.max(longestMs, longestBeforeMs, performance.now() - tickedAt - TICK_MS, 0),
    stop: () => clearInterval(timer),
  };
}
