import type { Person, Question } from './question.ts';
import type { Stage, ThreadChange, ThreadConversation, Turn } from './turn.ts';

/**
 * Port: the turns. When a promise resolves, the write is durable. Exceptions: `takeHead`, and `save` with `mayBeLost`,
 * become durable with the next durable write; a power cut before that undoes them. StoreUnavailableError means that the
 * write failed, or that only its reply was lost; across a network the two look the same. Every call may be repeated: a
 * second `accept` is a duplicate, and `dueLanes` finds its lane; a second `save` of a run changes nothing; a second
 * `takeHead` is a new run; a second `end` or `unpark` changes nothing, but returns another value.
 */
export type TurnStore = {
  /**
   * Appends a new turn to its lane, once per id for as long as turns are kept. `changes` are written with a new turn
   * only. With a `holder` (see Dispatcher) it is `taken` if it is alone in its lane and nobody else holds the lane. Its
   * first run has then begun, with fence 1 and the turn's `run`.
   */
  accept(turn: Turn, changes?: readonly ThreadChange[], holder?: string): Promise<Accepted>;
  get(id: string): Promise<Turn | undefined>;
  /** The next turn of a lane: the first in order of arrival that is neither done nor parked. */
  head(lane: string): Promise<Turn | undefined>;
  /** All turns of a lane that are neither done nor parked, in order of arrival. */
  inLane(lane: string): Promise<Turn[]>;
  /**
   * Begins a run of the lane's next turn: raises its fence and sets `run`, so that writes of other runs fail. A turn that
   * waits at `now` (epoch ms; see waits.ts), or whose last `deaths` runs or more died with their process, is not taken.
   * Undefined: there is no turn, or `holder` does not hold the lane.
   */
  takeHead(lane: string, now: number, deaths?: number, holder?: string): Promise<TakenHead | undefined>;
  /**
   * Writes the record and `changes` if `turn.fence` and `turn.run` are still the stored ones. False: another run or a stop
   * has begun, and nothing was written.
   */
  save(turn: Turn, changes?: readonly ThreadChange[], mayBeLost?: boolean): Promise<boolean>;
  /** Ends a turn that runs or waits: raises the fence and sets the stage. False: there is nothing to end. */
  end(id: string, stage: 'stopped' | 'cancelled'): Promise<boolean>;
  /**
   * Replaces what a turn asks while nothing of it was sent (`accepted`, `waiting` or `parked`): raises the fence, so that a
   * run that has begun starts over. False: it was sent or is decided, or there is no such turn.
   */
  revise(id: string, said: QuestionContent): Promise<boolean>;
  /** Makes a person's parked turns `accepted` again. Returns the lanes to wake. */
  unpark(person: Person): Promise<string[]>;
  /** Parked turns in order of arrival: one person's, or everyone's. */
  parked(person?: Person): Promise<Turn[]>;
  /** Lanes with a turn due at `now` that no replica but `holder` holds. Also those of `jobs` whose holder died. */
  dueLanes(now: number, holder?: string, jobs?: readonly string[]): Promise<string[]>;
  /** Turns that were given up (`result` is `failed` or `abandoned`), the latest first. */
  deadLetters(limit: number): Promise<Turn[]>;
  counts(): Promise<TurnCounts>;
  /** Forgets done turns that were accepted before `before` (epoch ms). Their ids could be accepted again. */
  forget(before: number): Promise<number>;
};

type Accepted = 'new' | 'taken' | 'duplicate';

/** The parts of a message that are sent to the service. */
export type QuestionContent = Pick<Question, 'text' | 'webSearch' | 'links' | 'unusable' | 'uploads'>;

/** `isTaken`: the turn's run has begun. `isLast`: the lane had no other turn; a later turn wakes the lane itself. */
type TakenHead = { turn: Turn; isTaken: boolean; isLast: boolean };

/** How many turns are in each stage except `done`. */
export type TurnCounts = {
  byStage: Partial<Record<Stage, number>>;
  /** Epoch ms, among those neither done nor parked. A turn that was parked counts from when it was unparked. */
  oldestAcceptedAt: number | undefined;
};

/** Port: what is stored about Slack threads. `thread` is a thread key; `user` a Slack user id. */
export type ThreadStore = {
  isEngaged(thread: string, user: string): Promise<boolean>;
  /** The conversation that this person's questions go to: their own in this thread, else the thread's. */
  conversation(thread: string, user: string): Promise<ThreadConversation | undefined>;
  /** Forgets threads unused since `before` (epoch ms). */
  forget(before: number): Promise<number>;
};
