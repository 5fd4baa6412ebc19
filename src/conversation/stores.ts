import type { Person } from './person.ts';
import type { ThreadChange } from './thread-store.ts';
import type { Stage, Turn } from './turn.ts';

/**
 * Port: the turns. A promise that resolves means that it is durable. One that rejects with StoreUnavailableError means
 * that it was not written, or that only the answer was lost, which a store across a network cannot tell apart. All of it
 * may be repeated: a second `accept` is a duplicate, whose lane the sweeper wakes; a second `save` of a run says the same;
 * a second `takeHead` is a new run; of `end` and `unpark` only what they return is lost.
 */
export type TurnStore = {
  /**
   * Writes a new turn, once per id for as long as turns are kept, at the end of its lane. `unbegun`: it is there
   * already, and no run of it has begun yet. `changes` are written with a new one, and only then.
   */
  accept(turn: Turn, changes?: readonly ThreadChange[]): Promise<'new' | 'unbegun' | 'duplicate'>;
  get(id: string): Promise<Turn | undefined>;
  /** The next turn of a lane: the first in order of arrival that is neither done nor parked. */
  head(lane: string): Promise<Turn | undefined>;
  /**
   * Begins a run of that turn: raises the fence, so that every earlier run loses its writes. One that waits until after
   * `now` (epoch ms), or whose last `deaths` runs or more died with their process, is only looked at. Undefined: there
   * is none.
   */
  takeHead(lane: string, now: number, deaths?: number): Promise<TakenHead | undefined>;
  /**
   * Writes the record, and `changes` with it, where `turn.fence` is still the stored one. False: a later run, or a stop,
   * has begun, and nothing was written.
   */
  save(turn: Turn, changes?: readonly ThreadChange[]): Promise<boolean>;
  /** Ends what runs or waits: raises the fence and sets the stage. False: there is nothing to end any more. */
  end(id: string, stage: 'stopped' | 'cancelled'): Promise<boolean>;
  /** Makes a person's parked turns `accepted` again. Returns the lanes to wake. */
  unpark(person: Person): Promise<string[]>;
  /** Parked turns in order of arrival: one person's, or everyone's. */
  parked(person?: Person): Promise<Turn[]>;
  /** Lanes that have a turn which is neither done nor parked: all of them have a run coming, or should have. */
  openLanes(): Promise<string[]>;
  /** Turns that were given up (`result` is `failed` or `abandoned`), the latest first. */
  deadLetters(limit: number): Promise<Turn[]>;
  counts(): Promise<TurnCounts>;
  /** Forgets done turns that were accepted before `before` (epoch ms). Their ids could be accepted again. */
  forget(before: number): Promise<number>;
};

/** `isTaken`: its run has begun. `isLast`: there was no other in the lane; who comes later wakes the lane. */
type TakenHead = { turn: Turn; isTaken: boolean; isLast: boolean };

/** How many turns there are in each stage, done ones left out; and when the oldest that has work to be done came. */
export type TurnCounts = {
  byStage: Partial<Record<Stage, number>>;
  /** Epoch ms, of those neither done nor parked. One that was parked counts from when that ended. */
  oldestAcceptedAt: number | undefined;
};
