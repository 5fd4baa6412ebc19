import type { TurnStore } from '../conversation/stores.ts';
import type { Turn } from '../conversation/turn.ts';

export type LanePorts = {
  turns: Pick<TurnStore, 'head' | 'takeHead'>;
  running: RunningTurns;
  suspects: Suspects;
  /** A run that has begun. True: the turn is done. */
  run(turn: Turn, signal: AbortSignal, isHeld: () => boolean): Promise<boolean>;
  isDraining(): boolean;
  now(): number;
};

/** After so many turns other lanes get their chance; the rest of this one follows. */
const MAX_TURNS = 20;

/**
 * A turn whose last so many runs died with their process is a suspect: it may be what kills it, or it only ran beside
 * that. A process runs one suspect at a time, so from here on each death is counted against one of them alone, and what
 * is innocent does not get to the deaths after which a turn is given up. Two rather than one: a process that is killed
 * from outside should not slow down all that ran in it.
 */
const SUSPECT_DEATHS = 2;

/** Where the wake-up after another suspect got lost, or went to another replica. */
const SUSPECT_WAIT_MS = 5_000;

/**
 * Works off a lane: its turns one at a time, in order of arrival. Returns when to wake the lane again: a turn that
 * waits because the service asked for it holds up those behind it, a parked one does not. What is left when this
 * process stops is for another replica, at once.
 */
export async function drainLane(lane: string, isHeld: () => boolean, ports: LanePorts): Promise<number | undefined> {
  for (let count = 0; count < MAX_TURNS; count++) {
    if (ports.isDraining()) return leave(lane, ports);
    const next = await runHead(lane, isHeld, ports, SUSPECT_DEATHS);
    if (next !== 'at once') return next;
  }
  return ports.now();
}

/** When to look at the lane again: a time (epoch ms), never by itself, or at once. */
type NextLook = number | undefined | 'at once';

/** Runs the next turn of the lane; a suspect, which died `deaths` times, only alone. */
async function runHead(
  lane: string,
  isHeld: () => boolean,
  ports: LanePorts,
  deaths: number | undefined,
): Promise<NextLook> {
  // Looked at last: nothing may lie between finding that the lane is ours and beginning a run.
  if (!isHeld()) return undefined;
  const now = ports.now();
  const head = await ports.turns.takeHead(lane, now, deaths);
  if (!head) return undefined;
  const { turn, isTaken, isLast } = head;
  if (isTaken) {
    const isDone = await ports.running.run(turn.id, (signal) => ports.run(turn, signal, isHeld));
    return isDone && isLast ? undefined : 'at once';
  }
  if (turn.notBefore !== undefined && turn.notBefore > now) return turn.notBefore;
  return runSuspect(lane, isHeld, ports);
}

async function runSuspect(lane: string, isHeld: () => boolean, ports: LanePorts): Promise<NextLook> {
  if (!ports.suspects.enter(lane)) return ports.now() + SUSPECT_WAIT_MS;
  try {
    return await runHead(lane, isHeld, ports, undefined);
  } finally {
    ports.suspects.leave();
  }
}

async function leave(lane: string, { turns, now }: LanePorts): Promise<number | undefined> {
  const turn = await turns.head(lane);
  return turn && Math.max(turn.notBefore ?? 0, now());
}

/** The turns that run in this process now, so that one can be stopped from outside. */
export type RunningTurns = {
  run<T>(turnId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Breaks off what the turn waits for. The turn's record must have been ended first. */
  abort(turnId: string): void;
};

export function createRunningTurns(): RunningTurns {
  const controllers = new Map<string, AbortController>();
  return {
    async run(turnId, work) {
      const controller = new AbortController();
      controllers.set(turnId, controller);
      try {
        return await work(controller.signal);
      } finally {
        // A command's turn goes on in another lane before this one has ended.
        if (controllers.get(turnId) === controller) controllers.delete(turnId);
      }
    },
    abort: (turnId) => controllers.get(turnId)?.abort(),
  };
}

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
