import type { Turn } from '../conversation/turn.ts';
import type { Log } from '../log.ts';
import { type Dispatcher, keepRunning } from './dispatcher.ts';
import { createLaneRuns } from './lane-runs.ts';

/** The most that setTimeout takes. A lane that is woken too early sets its time again. */
const MAX_SLEEP_MS = 2 ** 31 - 1;

/** There is only one process, so any name will do. */
const HOLDER = 'here';

/** The dispatcher for one process. Not durable: after a restart the search for due lanes finds them in the store. */
export function createInProcessDispatcher(log: Log, now: () => number): Dispatcher {
  const alarms = new Map<string, NodeJS.Timeout>();
  const runs = createLaneRuns<Turn>();

  function wake(lane: string, at?: number): void {
    if (at !== undefined && at > now()) setAlarm(lane, at);
    else runs.wake(lane);
  }

  function setAlarm(lane: string, at: number): void {
    clearTimeout(alarms.get(lane));
    if (runs.isDraining) return;
    const timer = setTimeout(
      () => {
        alarms.delete(lane);
        // Without looking at the clock: it may have been set back meanwhile.
        runs.wake(lane);
      },
      Math.min(at - now(), MAX_SLEEP_MS),
    );
    alarms.set(lane, timer);
  }

  return {
    wake: async (lane, at) => wake(lane, at),
    remind: runs.begin,
    reserve(lane) {
      const place = runs.reserve(lane);
      return place && { ...place, holder: HOLDER };
    },
    holder: () => HOLDER,
    async start(run) {
      const keepOn = keepRunning(run, log, now);
      runs.start(async (lane, taken) => {
        const again = await keepOn(lane, () => true, taken);
        if (again !== undefined) wake(lane, again);
      });
    },
    drain(deadlineMs) {
      for (const timer of alarms.values()) clearTimeout(timer);
      alarms.clear();
      return runs.drain(deadlineMs);
    },
  };
}
