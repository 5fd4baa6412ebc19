import type { TurnStore } from '../conversation/turn-store.ts';
import type { RunningTurns } from './running-turns.ts';

export type LanePorts = {
  turns: Pick<TurnStore, 'head'>;
  running: RunningTurns;
  run(turnId: string, signal: AbortSignal, isHeld: () => boolean): Promise<void>;
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
    const turn = await ports.turns.head(lane);
    if (!turn) return undefined;
    if ((turn.notBefore ?? 0) > ports.now()) return turn.notBefore;
    if (ports.isDraining()) return ports.now();
    // Looked at last: nothing may lie between finding that the lane is ours and beginning a run.
    if (!isHeld()) return undefined;
    await ports.running.run(turn.id, (signal) => ports.run(turn.id, signal, isHeld));
  }
  return ports.now();
}
