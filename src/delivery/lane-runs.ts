import { withinTime } from '../time-limit.ts';

/** Lanes per process. Turns mostly wait for the service, so many run at once; the limit bounds memory and connections. */
const MAX_CONCURRENT = 512;

/** Never throws. */
type LaneWork<Taken> = (lane: string, taken?: Taken) => Promise<void>;

/** The lanes that run in this process, each at most once at a time. `Taken`: what a reserved run begins with. */
export function createLaneRuns<Taken>() {
  const running = new Set<string>();
  /** Lanes that were woken and have not begun since. */
  const due = new Set<string>();
  let work: LaneWork<Taken> | undefined;
  let onIdle: (() => void) | undefined;
  let isDraining = false;

  const hasRoom = () => work !== undefined && !isDraining && running.size < MAX_CONCURRENT;

  /** Runs the lane. False: it is running already, or there is no room. */
  function begin(lane: string): boolean {
    if (running.has(lane) || !hasRoom()) return false;
    due.delete(lane);
    running.add(lane);
    void run(lane);
    return true;
  }

  async function run(lane: string, taken?: Taken): Promise<void> {
    await work?.(lane, taken);
    leave(lane);
  }

  function leave(lane: string): void {
    running.delete(lane);
    // Yield to the event loop first: lanes with synchronous reads would block it.
    if (due.size > 0) setImmediate(beginDue);
    if (running.size === 0) onIdle?.();
  }

  function beginDue(): void {
    for (const lane of due) {
      if (!hasRoom()) return;
      begin(lane);
    }
  }

  return {
    /** Runs the lane as soon as there is room. If it is running, it runs once more. */
    wake(lane: string): void {
      if (!begin(lane)) due.add(lane);
    },
    running,
    due,
    begin,
    /** Keeps a place for a lane whose turn is being accepted. Call `begin` or `release`, once. */
    reserve(lane: string) {
      if (running.has(lane) || !hasRoom()) return undefined;
      running.add(lane);
      return { begin: (taken: Taken) => void run(lane, taken), release: () => leave(lane) };
    },
    start(laneWork: LaneWork<Taken>): void {
      work = laneWork;
      beginDue();
    },
    get isDraining() {
      return isDraining;
    },
    /** See Dispatcher. */
    async drain(deadlineMs: number): Promise<boolean> {
      isDraining = true;
      if (running.size === 0) return true;
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      await withinTime(deadlineMs, idle, () => undefined);
      return running.size === 0;
    },
  };
}
