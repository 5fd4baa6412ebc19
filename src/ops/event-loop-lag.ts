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
