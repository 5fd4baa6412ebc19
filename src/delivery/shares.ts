/** How many turns of one person run at a time in a process, so that nobody can take all of its lanes. */
export const MAX_PER_PERSON = 8;

/**
 * How long a called lane keeps its place, in ms. If it has not come by then, another replica took it or it is empty, and
 * the next lane gets the place. On two replicas that is about every other call: with a second, the backlog after a
 * crash took twice as long (measured).
 */
const CALL_MS = 250;

/** Each called lane has a place kept for it, with a timer that gives the place to the next one. */
type Share = { running: number; waiting: Set<string>; called: Map<string, NodeJS.Timeout> };

export type Shares = ReturnType<typeof createShares>;

/**
 * Shares a process fairly between persons. If a person has used up their share, their other lanes wait without running,
 * in order of arrival. Kept in memory: after a crash, the search for due lanes finds them in the store.
 */
export function createShares(wake: (lane: string) => void, limit = MAX_PER_PERSON) {
  const shares = new Map<string, Share>();
  /** The person whose share a waiting or called lane needs. */
  const persons = new Map<string, string>();

  function shareOf(person: string): Share {
    const share = shares.get(person) ?? { running: 0, waiting: new Set(), called: new Map() };
    shares.set(person, share);
    return share;
  }

  /** Gives free places to the lanes that have waited longest. */
  function fill(person: string): void {
    const share = shareOf(person);
    const { waiting, called } = share;
    for (const lane of waiting) {
      if (share.running + called.size >= limit) break;
      waiting.delete(lane);
      const timer = setTimeout(() => forget(lane), CALL_MS);
      called.set(lane, timer.unref());
      wake(lane);
    }
    if (share.running === 0 && called.size === 0) shares.delete(person);
  }

  /** Removes a lane that has nothing to run: its place goes to the next one. */
  function forget(lane: string): void {
    const person = persons.get(lane);
    if (person === undefined) return;
    remove(lane, person);
    fill(person);
  }

  function remove(lane: string, person: string): void {
    const { waiting, called } = shareOf(person);
    persons.delete(lane);
    waiting.delete(lane);
    clearTimeout(called.get(lane));
    called.delete(lane);
  }

  return {
    /**
     * True: the lane may run a turn of this person, and must call `leave` afterwards. False: it has to wait, and is woken
     * when a place is free.
     */
    enter(lane: string, person: string): boolean {
      // The lane's first turn may be somebody else's by now.
      if (persons.get(lane) !== person) forget(lane);
      const share = shareOf(person);
      const isCalled = share.called.has(lane);
      if (!isCalled && share.running + share.called.size >= limit) {
        share.waiting.add(lane);
        persons.set(lane, person);
        return false;
      }
      remove(lane, person);
      share.running++;
      return true;
    },
    leave(person: string): void {
      shareOf(person).running--;
      fill(person);
    },
    forget,
    isWaiting: (lane: string) => persons.has(lane),
    /** Wakes all lanes that wait, so that other replicas can run them. */
    release(): void {
      for (const lane of persons.keys()) wake(lane);
    },
  };
}
