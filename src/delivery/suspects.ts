/** Lets one suspect at a time run in this process: see lane.ts. */
export type Suspects = {
  /** True: the lane may run its suspect, and must leave after it. False: another one runs; the lane is woken after it. */
  enter(lane: string): boolean;
  leave(): void;
};

export function createSuspects(wake: (lane: string) => void): Suspects {
  const waiting = new Set<string>();
  let isBusy = false;
  return {
    enter(lane) {
      if (isBusy) {
        waiting.add(lane);
        return false;
      }
      waiting.delete(lane);
      isBusy = true;
      return true;
    },
    leave() {
      isBusy = false;
      const [next] = waiting;
      if (next === undefined) return;
      waiting.delete(next);
      wake(next);
    },
  };
}
