// The session of an admin for much work: a few requests at once, pauses where the service asks for them, and one read of the
// limits for all who wait for one.

import { AdminThrottledError, AdminUnreachableError } from '../../admin-api/admin-errors.ts';
import type { AdminSession } from '../../admin-api/admin-session.ts';

export type PacedSession = {
  session: AdminSession;
  /** Whether the service has asked to wait: what need not begin now should not. */
  isPaused(): boolean;
};

export type PaceOptions = {
  now: () => number;
  wait: (ms: number) => Promise<void>;
};

/** The service counts the requests of a whole tenant. */
const AT_ONCE = 4;

/**
 * A request that may not go on within this time fails with what the service said: the record of a change that is begun
 * counts as broken off after two minutes (see broken-off.ts), and takes a read and a write.
 */
const PATIENCE_MS = 30_000;

const FIRST_WAIT_MS = 1_000;

/** Whatever the service asks for. */
const MAX_WAIT_MS = 5 * 60_000;

/** Those who ask within this time share one read. */
const GATHER_MS = 200;

export function createPacedSession(session: AdminSession, { now, wait }: PaceOptions): PacedSession {
  const withSlot = createSlots(AT_ONCE);
  let pause: { until: number; error: unknown } = { until: 0, error: undefined };
  const isPaused = () => now() < pause.until;

  /** Throws what the service said where that is longer than this time (epoch ms). */
  async function sitOut(giveUpAt: number): Promise<void> {
    while (isPaused()) {
      if (pause.until > giveUpAt) throw pause.error;
      await wait(pause.until - now());
    }
  }

  /** Undefined where a pause has begun while this waited for its turn. */
  async function attempt<T>(call: () => Promise<T>, failures: number): Promise<{ answer: T } | undefined> {
    if (isPaused()) return undefined;
    try {
      return { answer: await call() };
    } catch (error) {
      // Before the next gets its turn.
      const until = now() + (toWaitMs(error, failures) ?? 0);
      if (until > pause.until) pause = { until, error };
      throw error;
    }
  }

  async function paced<T>(call: () => Promise<T>): Promise<T> {
    const giveUpAt = now() + PATIENCE_MS;
    for (let failures = 0; ; ) {
      await sitOut(giveUpAt);
      try {
        const result = await withSlot(() => attempt(call, failures));
        if (result !== undefined) return result.answer;
      } catch (error) {
        if (toWaitMs(error, failures) === undefined) throw error;
        failures += 1;
      }
    }
  }

  return {
    isPaused,
    session: {
      findAgents: (filter) => paced(() => session.findAgents(filter)),
      findEnvironments: () => paced(session.findEnvironments),
      readAllocation: (environmentId) => paced(() => session.readAllocation(environmentId)),
      updateAllocation: (allocation) => paced(() => session.updateAllocation(allocation)),
      readEntitlements: (environmentId) => paced(() => session.readEntitlements(environmentId)),
      readThresholds: shareReads(async (currencyType) => {
        // The answer is of the whole tenant: the fewer, the better.
        await wait(GATHER_MS);
        return paced(() => session.readThresholds(currencyType));
      }),
      putThreshold: (change) => paced(() => session.putThreshold(change)),
    },
  };
}

/** Undefined where waiting does not help, or it is not known whether it was processed. */
function toWaitMs(error: unknown, failures: number): number | undefined {
  if (!(error instanceof AdminThrottledError || error instanceof AdminUnreachableError)) return undefined;
  const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** failures;
  return Math.min(MAX_WAIT_MS, Math.max(FIRST_WAIT_MS, waitMs));
}

/** In the order in which they are asked for. */
function createSlots(count: number): <T>(work: () => Promise<T>) => Promise<T> {
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

/** For each currency by itself. */
function shareReads<T>(read: (currencyType: string | undefined) => Promise<T>): (currencyType?: string) => Promise<T> {
  const shared = new Map<string | undefined, () => Promise<T>>();
  return (currencyType) => {
    const known = shared.get(currencyType) ?? shareRead(() => read(currencyType));
    shared.set(currencyType, known);
    return known();
  };
}

/** One read at a time. Who asks while one is going on gets the next: what was written before they asked is in it. */
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
