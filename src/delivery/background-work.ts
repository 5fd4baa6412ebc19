import type { Log } from '../log.ts';
import { withinTime } from '../time-limit.ts';

export type BackgroundWork = ReturnType<typeof createBackgroundWork>;

/** Work that goes on after the acknowledgement to Slack and is not stored. A stop waits for it. */
export function createBackgroundWork(log: Log) {
  const running = new Set<Promise<void>>();
  const stop = new AbortController();

  async function run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, 'background work failed');
    }
  }

  return {
    /** Starts the work and returns at once. Errors are only logged; the work itself has to tell people. */
    start(work: () => Promise<void>): void {
      const promise = run(work).finally(() => running.delete(promise));
      running.add(promise);
    },
    /** Aborted when a drain begins, for work that would take longer than the drain. */
    stopping: stop.signal,
    /** Resolves with true when nothing runs any more, or with false after `deadlineMs`. */
    async drain(deadlineMs: number): Promise<boolean> {
      stop.abort();
      // Running work may start more.
      const idle = async () => {
        while (running.size > 0) await Promise.all(running);
      };
      await withinTime(deadlineMs, idle(), () => undefined);
      return running.size === 0;
    },
  };
}
