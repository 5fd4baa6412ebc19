import type { TurnStore } from '../../src/conversation/stores.ts';
import type { Turn } from '../../src/conversation/turn.ts';

/** Begins a run of this turn, as its lane does once it is its turn. Undefined: there is no such turn, or it is done. */
export async function beginRun(turns: TurnStore, id: string): Promise<Turn | undefined> {
  const turn = await turns.get(id);
  if (!turn || turn.stage === 'done') return undefined;
  const taken = await turns.takeHead(turn.lane, Number.MAX_SAFE_INTEGER);
  if (taken?.turn.id !== id) throw new Error(`${taken?.turn.id} is before ${id} in its lane`);
  return taken.turn;
}
