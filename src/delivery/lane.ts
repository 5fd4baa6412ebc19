import { toPersonKey } from '../conversation/question.ts';
import type { TurnStore } from '../conversation/stores.ts';
import type { Turn } from '../conversation/turn.ts';
import { waitsUntil } from '../conversation/waits.ts';
import type { Shares } from './shares.ts';

export type LanePorts = {
  turns: Pick<TurnStore, 'head' | 'takeHead'>;
  running: RunningTurns;
  shares: Shares;
  /** One place, which all suspects share. */
  suspects: Shares;
  /** Runs a turn that was taken. True: the turn is done. */
  run(turn: Turn, signal: AbortSignal, isHeld: () => boolean): Promise<boolean>;
  /** See Dispatcher. */
  holder(): string;
  isDraining(): boolean;
  /** See createWaitClock. */
  waitClock(): number;
};

/** After this many turns the lane yields to other lanes. */
const MAX_TURNS = 20;

/**
 * If the last two runs of a turn died with their process, it is a suspect: it kills the process, or it only ran at the
 * same time. A process runs one suspect at a time, so that further deaths count against one turn alone and no innocent
 * turn is given up. Two rather than one: a process killed from outside should not slow down all its turns.
 */
const SUSPECT_DEATHS = 2;

/** The person key of that share. */
const SUSPECTS = 'suspects';

/** Retry interval, in case the wake-up after another suspect got lost or went to another replica. */
const SUSPECT_WAIT_MS = 5_000;

/**
 * Runs the turns of a lane one at a time, in order of arrival. Returns in how many ms to wake the lane again, if at all.
 * A waiting turn blocks those behind it, a parked one does not. While this process drains, the rest is left to another
 * replica at once. `taken`: the turn to begin with, which has its share and was alone in its lane.
 */
export async function drainLane(
  lane: string,
  isHeld: () => boolean,
  ports: LanePorts,
  taken?: Turn,
): Promise<number | undefined> {
  if (taken && (await runTaken(taken, isHeld, ports))) return undefined;
  for (let count = 0; count < MAX_TURNS; count++) {
    if (ports.isDraining()) return 0;
    const next = await runShared(lane, isHeld, ports);
    if (next !== 'at once') return next;
  }
  return 0;
}

/** Returns true if nothing is left to do here: a later turn wakes the lane itself. */
async function runTaken(turn: Turn, isHeld: () => boolean, { running, shares, run }: LanePorts): Promise<boolean> {
  try {
    return !isHeld() || (await running.run(turn.id, (signal) => run(turn, signal, isHeld)));
  } finally {
    shares.leave(toPersonKey(turn.question.asker));
  }
}

/** When to run the lane again: in this many ms, at once, or (undefined) not until it is woken. */
type NextRun = number | undefined | 'at once';

/**
 * Runs the next turn of the lane within its person's share. The person is read before the turn is taken: a turn that is
 * taken and given back would look like one that died.
 */
async function runShared(lane: string, isHeld: () => boolean, ports: LanePorts): Promise<NextRun> {
  const { turns, shares } = ports;
  const turn = await turns.head(lane);
  if (!turn) {
    shares.forget(lane);
    return undefined;
  }
  // A run that only finishes a reply needs no share: it is quick, and who stopped an answer wants to see it stopped.
  const isAsking = !turn.endsWork && (turn.stage === 'accepted' || turn.stage === 'waiting');
  if (!isAsking) return runHead(lane, isHeld, ports, SUSPECT_DEATHS);
  const person = toPersonKey(turn.question.asker);
  if (!shares.enter(lane, person)) return undefined;
  try {
    return await runHead(lane, isHeld, ports, SUSPECT_DEATHS);
  } finally {
    shares.leave(person);
  }
}

/** Runs the lane's next turn. A suspect, whose last `deaths` runs died, runs only while no other suspect runs. */
async function runHead(
  lane: string,
  isHeld: () => boolean,
  ports: LanePorts,
  deaths: number | undefined,
): Promise<NextRun> {
  if (!isHeld()) return undefined;
  const now = ports.waitClock();
  const head = await ports.turns.takeHead(lane, now, deaths, ports.holder());
  if (!head) return undefined;
  const { turn, isTaken, isLast } = head;
  if (isTaken) {
    const isDone = await ports.running.run(turn.id, (signal) => ports.run(turn, signal, isHeld));
    return isDone && isLast ? undefined : 'at once';
  }
  const until = waitsUntil(turn, now);
  return until === undefined ? runSuspect(lane, isHeld, ports) : until - now;
}

async function runSuspect(lane: string, isHeld: () => boolean, ports: LanePorts): Promise<NextRun> {
  if (!ports.suspects.enter(lane, SUSPECTS)) return SUSPECT_WAIT_MS;
  try {
    return await runHead(lane, isHeld, ports, undefined);
  } finally {
    ports.suspects.leave(SUSPECTS);
  }
}

export type RunningTurns = ReturnType<typeof createRunningTurns>;

/** The turns that run in this process now, so that one can be stopped from outside. */
export function createRunningTurns() {
  const controllers = new Map<string, AbortController>();
  return {
    async run<T>(turnId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const controller = new AbortController();
      controllers.set(turnId, controller);
      try {
        return await work(controller.signal);
      } finally {
        // A command's turn continues in another lane before this run has ended.
        if (controllers.get(turnId) === controller) controllers.delete(turnId);
      }
    },
    /** Aborts the turn's requests. End the turn's record first. */
    abort: (turnId: string) => controllers.get(turnId)?.abort(),
  };
}
