import type { Log } from '../log.ts';
import { withinTime } from '../time-limit.ts';
import { type Dispatcher, keepRunning, MAX_CONCURRENT, type RunLane } from './dispatcher.ts';

/** setTimeout takes 32 bits: longer sleeps are split. */
const MAX_SLEEP_MS = 2 ** 31 - 1;

/** The dispatcher for one process. Not durable: after a restart the sweeper wakes every open lane. */
export function createInProcessDispatcher(log: Log, now: () => number): Dispatcher {
  const due = new Set<string>();
  const running = new Set<string>();
  const alarms = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  let run: RunLane | undefined;
  let onIdle: (() => void) | undefined;
  let isDraining = false;

  function wake(lane: string, at?: number): void {
    if (at !== undefined && at > now()) return setAlarm(lane, at);
    due.add(lane);
    startDue();
  }

  function setAlarm(lane: string, at: number): void {
    const alarm = alarms.get(lane);
    if (isDraining || (alarm && alarm.at <= at)) return;
    clearTimeout(alarm?.timer);
    const sleepMs = at - now();
    const timer = setTimeout(
      () => {
        alarms.delete(lane);
        // By the timer, not by the time it is now: the clock may have been set back meanwhile.
        wake(lane, sleepMs > MAX_SLEEP_MS ? at : undefined);
      },
      Math.min(sleepMs, MAX_SLEEP_MS),
    );
    alarms.set(lane, { at, timer });
  }

  function startDue(): void {
    if (!run || isDraining) return;
    for (const lane of due) {
      if (running.size >= MAX_CONCURRENT) return;
      if (running.has(lane)) continue;
      due.delete(lane);
      void runLane(lane, run);
    }
  }

  async function runLane(lane: string, work: RunLane): Promise<void> {
    running.add(lane);
    const again = await work(lane, () => true);
    running.delete(lane);
    if (again !== undefined) wakeAgain(lane, again);
    startDue();
    if (running.size === 0) onIdle?.();
  }

  /** Yields to the event loop before an immediate rerun: with synchronous reads, a lane would block it. */
  function wakeAgain(lane: string, at: number): void {
    if (at > now()) setAlarm(lane, at);
    else setImmediate(() => wake(lane));
  }

  return {
    wake: async (lane, at) => wake(lane, at),
    remind: (lane) => {
      if (!running.has(lane)) wake(lane);
    },
    async start(work) {
      run = keepRunning(work, log, now);
      startDue();
    },
    async drain(deadlineMs) {
      isDraining = true;
      for (const { timer } of alarms.values()) clearTimeout(timer);
      alarms.clear();
      if (running.size === 0) return true;
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      await withinTime(deadlineMs, idle, () => undefined);
      return running.size === 0;
    },
  };
}
