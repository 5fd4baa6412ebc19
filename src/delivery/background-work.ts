import type { Log } from '../log.ts';
import { withinTime } from '../time-limit.ts';

/** What goes on after Slack has its acknowledgement, without a record of its own. A stop waits for it. */
export type BackgroundWork = {
  /** Starts it and returns at once. What it throws is logged: it has to tell people itself. */
  start(work: () => Promise<void>): void;
  /** Resolves when nothing runs any more, or at the deadline, in ms from now: false then. */
  drain(deadlineMs: number): Promise<boolean>;
  /** Aborted when a stop begins to wait: for what would take much longer than that. */
  readonly stopping: AbortSignal;
};

export function createBackgroundWork(log: Log): BackgroundWork {
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
    start(work) {
      const promise = run(work).finally(() => running.delete(promise));
      running.add(promise);
    },
    stopping: stop.signal,
    async drain(deadlineMs) {
      stop.abort();
      // What runs may start more.
      const idle = async () => {
        while (running.size > 0) await Promise.all(running);
      };
      await withinTime(deadlineMs, idle(), () => undefined);
      return running.size === 0;
    },
  };
}
