// A world in which not the time that things take decides what arrives first, but a scheduler of fast-check: any order may come.
import type { Owner } from './virtual-time.ts';

/** A scheduler of fast-check. */
export type Order = { schedule(task: Promise<void>, label: string): Promise<void>; waitNext(count: 1): Promise<void> };

/** Nothing is on its way for longer (ms): see FIND_AFTER_MS in resume-turn.ts. */
const LONGEST_MS = 2_000;

/** How many arrivals it decides on; those afterwards come in time. */
const ORDERED = 600;

type Clock = {
  now(): number;
  /** Runs this as a process, once that runs. */
  arrived(run: () => void, owner: Owner | undefined): void;
  /** Lets time pass until the next timer fires. False: there is none until then. */
  step(latest: number): boolean;
};

export function createOrdered(order: Order, { now, arrived, step }: Clock) {
  const underway = new Set<{ since: number }>();
  let count = 0;
  let isTimeUnderway = false;

  /** Time has its turn as everything else has. */
  function letTimePass(latest: number): void {
    isTimeUnderway = true;
    void order.schedule(Promise.resolve(), 'time passes').then(() => {
      isTimeUnderway = false;
      const [first] = underway;
      step(Math.min(latest, (first?.since ?? now()) + LONGEST_MS));
    });
  }

  return {
    isOver: () => count > ORDERED,
    arrive(run: () => void, owner: Owner | undefined): void {
      const arrival = { since: now() };
      underway.add(arrival);
      void order.schedule(Promise.resolve(), owner?.name ?? 'outside').then(() => {
        underway.delete(arrival);
        arrived(run, owner);
      });
    },
    async next(latest: number): Promise<boolean> {
      if (underway.size === 0) return step(latest);
      if (!isTimeUnderway) letTimePass(latest);
      count += 1;
      await order.waitNext(1);
      return true;
    },
  };
}
