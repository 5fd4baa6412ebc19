import type { Turn } from '../conversation/turn.ts';
import type { TurnStore } from '../conversation/turn-store.ts';
import type { RunningTurns } from './running-turns.ts';

export type LanePorts = {
  turns: Pick<TurnStore, 'head' | 'takeHead'>;
  running: RunningTurns;
  /** A run that has begun. True: the turn is done. */
  run(turn: Turn, signal: AbortSignal, isHeld: () => boolean): Promise<boolean>;
  isDraining(): boolean;
  now(): number;
};

/** After so many turns other lanes get their chance; the rest of this one follows. */
const MAX_TURNS = 20;

/**
 * Works off a lane: its turns one at a time, in order of arrival. Returns when to wake the lane again: a turn that
 * waits because the service asked for it holds up those behind it, a parked one does not. What is left when this
 * process stops is for another replica, at once.
 */
export async function drainLane(lane: string, isHeld: () => boolean, ports: LanePorts): Promise<number | undefined> {
  for (let count = 0; count < MAX_TURNS; count++) {
    if (ports.isDraining()) return leave(lane, ports);
    // Looked at last: nothing may lie between finding that the lane is ours and beginning a run.
    if (!isHeld()) return undefined;
    const next = await ports.turns.takeHead(lane, ports.now());
    if (!next) return undefined;
    const { turn, isTaken, isLast } = next;
    if (!isTaken) return turn.notBefore;
    const isDone = await ports.running.run(turn.id, (signal) => ports.run(turn, signal, isHeld));
    if (isDone && isLast) return undefined;
  }
  return ports.now();
}

async function leave(lane: string, { turns, now }: LanePorts): Promise<number | undefined> {
  const turn = await turns.head(lane);
  return turn && Math.max(turn.notBefore ?? 0, now());
}
