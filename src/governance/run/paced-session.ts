// An admin's session for many requests: it sends a few at once, pauses when the service asks for it, and shares one read
// of the limits among all callers that wait for one.
import { setTimeout as sleep } from 'node:timers/promises';
import { AdminThrottledError, AdminUnreachableError } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';

type Wait = (ms: number, stopping?: AbortSignal) => Promise<void>;

export type PaceOptions = {
  /** A monotonic clock, in ms. With a wall clock, setting it back would make a pause longer. */
  elapsed?: () => number;
  wait?: Wait | undefined;
  /** A request that would have to wait longer than this (ms) fails with the error of the service. */
  patienceMs?: number;
};

/** The service limits the requests of a whole tenant. */
const AT_ONCE = 4;

const PATIENCE_MS = 30_000;

/** Reading limits is not part of the service's interface. Callers can do without it, so they wait only this long. */
const LIMITS_PATIENCE_MS = 3_000;

const FIRST_WAIT_MS = 1_000;

/** Even if the service asks for more. */
const MAX_WAIT_MS = 5 * 60_000;

/** Calls within this time share one read. */
const GATHER_MS = 200;

/** `stopping`: once aborted, nothing waits any more. */
export function createPacedSession(
  session: AdminSession,
  stopping: AbortSignal,
  { elapsed = () => performance.now(), wait = pause, patienceMs = PATIENCE_MS }: PaceOptions = {},
): AdminSession {
  const withSlot = createSlots(AT_ONCE);
  const times = { now: elapsed, wait: (ms: number) => wait(ms, stopping), stopping };
  const paced = createPacer(withSlot, { ...times, patienceMs });
  const pacedLimits = createPacer(withSlot, { ...times, patienceMs: Math.min(LIMITS_PATIENCE_MS, patienceMs) });
  return {
    findAgents: (filter) => paced(() => session.findAgents(filter)),
    findEnvironments: () => paced(() => session.findEnvironments()),
    readAllocation: (environmentId) => paced(() => session.readAllocation(environmentId)),
    updateAllocation: (allocation) => paced(() => session.updateAllocation(allocation)),
    readEntitlements: (environmentId) => paced(() => session.readEntitlements(environmentId)),
    readThresholds: shareReads(async (currencyType) => {
      // One answer covers the whole tenant, so wait for other callers first.
      await wait(GATHER_MS, stopping);
      return pacedLimits(() => session.readThresholds(currencyType));
    }),
    putThreshold: (change) => paced(() => session.putThreshold(change)),
  };
}

type Paced = <T>(call: () => Promise<T>) => Promise<T>;

type Times = { now: () => number; wait(ms: number): Promise<void>; stopping: AbortSignal; patienceMs: number };

/** All requests of one pacer wait for its pauses. */
function createPacer(withSlot: Paced, { now, wait, stopping, patienceMs }: Times): Paced {
  let paused: { until: number; error: unknown } = { until: 0, error: undefined };
  const isPaused = () => now() < paused.until;

  /** Waits until the pause is over. Throws the error of the service if that is later than `giveUpAt`. */
  async function waitOutPause(giveUpAt: number): Promise<void> {
    while (isPaused()) {
      if (paused.until > giveUpAt || stopping.aborted) throw paused.error;
      await wait(paused.until - now());
    }
  }

  /** Undefined: a pause began while this call waited for a slot. */
  async function attempt<T>(call: () => Promise<T>, failures: number): Promise<{ answer: T } | undefined> {
    if (isPaused()) return undefined;
    try {
      return { answer: await call() };
    } catch (error) {
      // Set the pause before the next call gets the slot.
      const until = now() + (toWaitMs(error, failures) ?? 0);
      if (until > paused.until) paused = { until, error };
      throw error;
    }
  }

  return async function paced<T>(call: () => Promise<T>): Promise<T> {
    let giveUpAt: number | undefined;
    for (let failures = 0; ; ) {
      await waitOutPause(giveUpAt ?? now() + patienceMs);
      try {
        const result = await withSlot(() => {
          // From its first turn, because thousands may be before it.
          giveUpAt ??= now() + patienceMs;
          return attempt(call, failures);
        });
        if (result !== undefined) return result.answer;
      } catch (error) {
        if (toWaitMs(error, failures) === undefined) throw error;
        failures += 1;
      }
    }
  };
}

/** Never rejects, also if it is cut short. */
export function pause(ms: number, stopping?: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { ...(stopping && { signal: stopping }) }).catch(() => undefined);
}

/** Undefined: waiting does not help, or the service may have processed the request. */
function toWaitMs(error: unknown, failures: number): number | undefined {
  if (!(error instanceof AdminThrottledError || error instanceof AdminUnreachableError)) return undefined;
  const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** failures;
  return Math.min(MAX_WAIT_MS, Math.max(FIRST_WAIT_MS, waitMs));
}

/** Calls get a slot in the order in which they came. */
function createSlots(count: number): Paced {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resume) => waiting.push(resume));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Shares the reads of each currency separately. */
function shareReads<T>(read: (currencyType: string | undefined) => Promise<T>): (currencyType?: string) => Promise<T> {
  const shared = new Map<string | undefined, () => Promise<T>>();
  return (currencyType) => {
    const known = shared.get(currencyType) ?? shareRead(() => read(currencyType));
    shared.set(currencyType, known);
    return known();
  };
}

/** One read at a time. A call during a read gets the next one, so that the answer includes all writes before the call. */
function shareRead<T>(read: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let following: Promise<T> | undefined;

  function begin(): Promise<T> {
    const mine = read().finally(() => {
      if (current === mine) current = undefined;
    });
    current = mine;
    return mine;
  }

  return () => {
    if (current === undefined) return begin();
    following ??= current
      .catch(() => undefined)
      .then(() => {
        following = undefined;
        return begin();
      });
    return following;
  };
}
