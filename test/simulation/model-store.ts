// The store of a simulated world: the models that SQLite and Redis are compared with. It also notes who stopped what, and
// what had to wait.
import { toPersonKey } from '../../src/conversation/question.ts';
import type { ThreadStore, TurnStore } from '../../src/conversation/stores.ts';
import type { Turn } from '../../src/conversation/turn.ts';
import type { LeaseStore } from '../../src/delivery/leases.ts';
import { MAX_PER_PERSON } from '../../src/delivery/shares.ts';
import { createLeaseModel, type Sync } from '../storage/lease-model.ts';
import { createTurnModel } from '../storage/turn-model.ts';

/** What is due begins within this time, unless something is broken: a run that gives way tidies up first. */
const PROMPT_MS = 15_000;

/** Each operation as a plain function: a replica reaches it over a network that delays, loses and cuts. */
export type ModelStore = {
  turns: Sync<TurnStore>;
  threads: Sync<ThreadStore>;
  leases: Sync<LeaseStore>;
  /** All turns, in the order in which they were accepted. */
  all(): Turn[];
  /** The ids of turns that somebody stopped or cancelled. */
  ended: ReadonlySet<string>;
  /** Turns that were due and not begun for so long (ms), by the time (epoch ms) at which they were. */
  late: { id: string; ms: number; at: number }[];
  /** Whether every turn is done. */
  isIdle(): boolean;
  /** What was written since the last flush never happened. */
  cutPower(): void;
};

/** `now`: the clock of the store, epoch ms. `isShared`: with leases; one process alone needs none. */
export function createModelStore(now: () => number, isShared: boolean): ModelStore {
  const leases = createLeaseModel(now);
  const { turns, threads, all, isIdle, cutPower } = createTurnModel(isShared ? leases : undefined);
  const ended = new Set<string>();
  const late: ModelStore['late'] = [];
  /** When a run last wrote something in a lane, or its first turn came. */
  const movedAt = new Map<string, number>();
  const move = (lane: string) => void movedAt.set(lane, now());

  /** When turns of a person began. */
  const begunAt = new Map<string, number[]>();

  /** `at`: by the clock of who takes it, as its `notBefore` is. Behind a full share of its person a turn waits its turn. */
  function noteLateness({ id, lane, question, notBefore = 0 }: Turn, at: number): void {
    const since = movedAt.get(lane) ?? 0;
    const ms = Math.min(now() - since, at - notBefore);
    const person = toPersonKey(question.asker);
    const begun = begunAt.get(person) ?? [];
    begunAt.set(person, begun);
    if (ms > PROMPT_MS && begun.filter((one) => one >= since).length < MAX_PER_PERSON) late.push({ id, ms, at: now() });
    begun.push(now());
    move(lane);
  }

  return {
    turns: {
      ...turns,
      accept(turn, changes, holder) {
        if (turns.get(turn.id) === undefined && turns.head(turn.lane) === undefined) move(turn.lane);
        return turns.accept(turn, changes, holder);
      },
      takeHead(lane, at, deaths, holder) {
        const taken = turns.takeHead(lane, at, deaths, holder);
        if (taken?.isTaken) noteLateness(taken.turn, at);
        return taken;
      },
      save(turn, changes, mayBeLost) {
        const before = turns.get(turn.id)?.lane;
        const isSaved = turns.save(turn, changes, mayBeLost);
        if (isSaved && before !== undefined) move(before);
        return isSaved;
      },
      end(id, stage) {
        const hasEnded = turns.end(id, stage);
        const lane = turns.get(id)?.lane ?? '';
        if (hasEnded) ended.add(id);
        if (hasEnded && turns.head(lane)?.id === id) move(lane);
        return hasEnded;
      },
      unpark(person) {
        const lanes = turns.unpark(person);
        lanes.forEach(move);
        return lanes;
      },
      counts: () => ({ byStage: {}, oldestAcceptedAt: undefined }),
      forget: () => 0,
    },
    threads: { ...threads, forget: () => 0 },
    ...{ leases, all, ended, late, isIdle, cutPower },
  };
}
