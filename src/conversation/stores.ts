import type { Person } from './question.ts';
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

/** The service's conversation that a thread, or one person in it, is held in. */
export type ThreadConversation = {
  schema: 1;
  id: string;
  /** The installing team, for purging. Records of the first release have none. */
  workspace?: string;
  /** The person it was created for, and with whose rights it was answered. */
  owner: string;
  /** Whether it is the thread's, or its owner's alone beside the thread's. */
  heldBy: 'thread' | 'person';
  /** An answer was given in it that others in the thread did not see: nobody else may ask in it. */
  hasPrivateAnswers: boolean;
  turnCount: number;
};

/**
 * A change to what is remembered of a thread, written in one with a turn: see TurnStore.
 * - `engage`: a person has spoken to the assistant in it. `workspace`: the installing team, for purging.
 * - `keep`: a new conversation takes the place of `former`, the id of the one that was held in the same way, if any.
 *   Where another is held by now, that one stays: whoever made it did so later.
 * - `update`: what changed about a conversation that is kept. That it has private answers is never taken back.
 * - `drop`: a conversation is forgotten.
 */
export type ThreadChange = { thread: string } & (
  | { kind: 'engage'; user: string; workspace: string }
  | { kind: 'keep'; conversation: ThreadConversation; former: string | undefined }
  | { kind: 'update'; conversation: ThreadConversation }
  | { kind: 'drop'; conversation: ThreadConversation }
);

/** Port: what is remembered of Slack threads. `thread` is a thread key; `user` a Slack user id. */
export type ThreadStore = {
  isEngaged(thread: string, user: string): Promise<boolean>;
  /** The conversation that this person's questions go to: their own in this thread, else the thread's. */
  conversation(thread: string, user: string): Promise<ThreadConversation | undefined>;
  /** Forgets threads in which nothing happened since `before` (epoch ms). */
  forget(before: number): Promise<number>;
};
