import { PermanentError, StoreUnavailableError, type TransientError } from '../errors.ts';
import { retry } from '../retry.ts';
import type { Outcome } from './outcome.ts';
import type { ThreadChange, TurnStore } from './stores.ts';
import type { Turn } from './turn.ts';

/** A later run of the same turn has begun, or somebody stopped it: this run must not do anything more. */
export class FenceLostError extends PermanentError {
  constructor(turnId: string) {
    super('fence_lost', `another run of turn ${turnId} has begun`);
  }
}

/** All waits of a turn together; a person who still wants the answer after that can ask again. */
const MAX_WAIT_MS = 10 * 60_000;

/** About as long as a store takes to restart, and a replica to be given up by the others. */
const STORE_PAUSES_MS = [100, 250, 500, 1_000, 2_000, 4_000];

/** One run of a turn: the record as this run knows it, and the only way to write it. */
export class Run {
  #turn: Turn;
  #saved: Turn;
  readonly #turns: Pick<TurnStore, 'save'>;
  readonly #now: () => number;
  #threadChanges: ThreadChange[] = [];

  constructor(turn: Turn, turns: Pick<TurnStore, 'save'>, now: () => number) {
    this.#turn = turn;
    this.#saved = turn;
    this.#turns = turns;
    this.#now = now;
  }

  get turn(): Turn {
    return this.#turn;
  }

  /** The record as it was last written: what others know of it. */
  get saved(): Turn {
    return this.#saved;
  }

  /** Changes the record here; the next save writes it. For what is not lost by a crash before that save. */
  note(change: Partial<Turn>): void {
    this.#turn = { ...this.#turn, ...change };
  }

  /** A change of the thread, which the next save writes in one with the record. */
  noteThread(change: ThreadChange): void {
    this.#threadChanges.push(change);
  }

  /** Writes a change and all that was noted. Throws FenceLostError. */
  async save(change: Partial<Turn> = {}): Promise<void> {
    this.note(change);
    const changes = [...this.#threadChanges];
    const isOurs = await this.#insist(() => this.#turns.save(this.#turn, changes));
    this.#threadChanges.splice(0, changes.length);
    if (!isOurs) throw new FenceLostError(this.#turn.id);
    this.#saved = this.#turn;
  }

  /**
   * A store that restarts must not cost an answer that we hold. Writing again is safe whatever became of the first
   * attempt: it says the same, and only where the fence is still ours.
   */
  #insist<T>(write: () => Promise<T>): Promise<T> {
    return retry(write, (error, failures) =>
      error instanceof StoreUnavailableError ? STORE_PAUSES_MS[failures - 1] : undefined,
    );
  }

  /** The last save of a run that ends orderly. A run that never gets here died, and too many of those end the turn. */
  async settle(change: Partial<Turn> = {}): Promise<void> {
    await this.save({ ...change, settled: this.#turn.fence });
  }

  /** Decides what the reply will say. The save that follows comes before anything of it is shown. */
  decide(outcome: Outcome): void {
    this.note({ stage: 'answered', outcome, notBefore: undefined });
  }

  /** Has the turn tried again when the error says; past the limit for all waits, decides `unavailable`. */
  async waitFor(error: TransientError): Promise<void> {
    const { fence, waitingSince = this.#now() } = this.#turn;
    // A wait of nothing is none: a service that says so would be asked without a pause.
    const notBefore = this.#now() + (error.retryAfterMs || backoffMs(fence));
    if (notBefore - waitingSince > MAX_WAIT_MS) return this.decide({ kind: 'notice', code: 'unavailable' });
    await this.settle({ stage: 'waiting', notBefore, waitingSince, waitingFor: error.code });
  }
}

/** Half a second, doubled with each run, at most a minute. */
export function backoffMs(runs: number): number {
  return Math.min(60_000, 500 * 2 ** Math.min(runs, 8));
}
