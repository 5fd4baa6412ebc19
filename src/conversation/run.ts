import { PermanentError, StoreUnavailableError, type TransientError } from '../errors.ts';
import { retry } from '../retry.ts';
import type { Outcome } from './outcome.ts';
import { withSecrecy } from './secrecy.ts';
import type { TurnStore } from './stores.ts';
import type { ThreadChange, Turn } from './turn.ts';
import { LONGEST_WAIT_MS, toWait } from './waits.ts';

/** A later run of the same turn has begun, or somebody stopped it: this run must do nothing more. */
export class FenceLostError extends PermanentError {
  constructor(turnId: string) {
    super('fence_lost', `another run of turn ${turnId} has begun`);
  }
}

/** The sum is about as long as a store takes to restart, and as long as a lane's lease. */
const STORE_PAUSES_MS = [100, 250, 500, 1_000, 2_000, 4_000];

/**
 * The durations of a run, for the log. `queueMs`: from acceptance to its start. `firstByteMs`: until the service sent
 * text. `serviceMs`, `slackMs`: all calls of the service and of Slack.
 */
type Times = { queueMs: number; firstByteMs?: number; serviceMs: number; slackMs: number };

/** Both in epoch ms. `waitClock`: see createWaitClock. */
export type Clocks = { now(): number; waitClock(): number };

/** One run of a turn: the record as this run knows it, and the only way to write it. */
export class Run {
  readonly times: Times;
  #turn: Turn;
  #saved: Turn;
  readonly #turns: Pick<TurnStore, 'save'>;
  readonly #clocks: Clocks;

  constructor(turn: Turn, turns: Pick<TurnStore, 'save'>, clocks: Clocks) {
    this.#turn = turn;
    this.#saved = turn;
    this.#turns = turns;
    this.#clocks = clocks;
    this.times = { queueMs: clocks.now() - turn.acceptedAt, serviceMs: 0, slackMs: 0 };
  }

  /** Adds the duration of the work, even if it fails. */
  async timed<T>(part: 'serviceMs' | 'slackMs', work: () => Promise<T>): Promise<T> {
    const begunAt = performance.now();
    return work().finally(() => {
      this.times[part] += Math.round(performance.now() - begunAt);
    });
  }

  get turn(): Turn {
    return this.#turn;
  }

  /** The record as last written. */
  get saved(): Turn {
    return this.#saved;
  }

  /** Changes the record in memory; the next save writes it. Only for changes that a crash may lose. */
  note(change: Partial<Turn>): void {
    this.#turn = { ...this.#turn, ...change };
  }

  /**
   * Notes a change of the thread, which the next save writes atomically with the record. In the stage `asking`, a save
   * only keeps it in the record: it is written with the outcome or, after a crash or a stop, by the next run.
   */
  noteThread(change: ThreadChange): void {
    this.note({ threadChanges: withChange(this.#turn.threadChanges ?? [], change) });
  }

  /** Writes the change and everything noted. `mayBeLost`: see TurnStore. Throws FenceLostError. */
  async save(change: Partial<Turn> = {}, mayBeLost = false): Promise<void> {
    this.note(change);
    const { threadChanges: changes = [] } = this.#turn;
    const isAsking = this.#turn.stage === 'asking';
    const turn = isAsking ? this.#turn : { ...this.#turn, threadChanges: undefined };
    const save = () => this.#turns.save(turn, isAsking ? [] : changes, mayBeLost);
    // A restart of the store must not cost an answer. Repeating the write is safe even if the first attempt arrived: it
    // writes the same record, and only while the fence is ours.
    const isOurs = await retry(save, (error, failures) =>
      error instanceof StoreUnavailableError ? STORE_PAUSES_MS[failures - 1] : undefined,
    );
    if (!isOurs) throw new FenceLostError(turn.id);
    if (!isAsking) this.note({ threadChanges: this.#turn.threadChanges?.slice(changes.length) });
    this.#saved = turn;
  }

  /** The last save of a run that ends normally. A run without it counts as a crash; too many crashes end the turn. */
  async settle(change: Partial<Turn> = {}, mayBeLost = false): Promise<void> {
    await this.save({ ...change, settled: this.#turn.fence }, mayBeLost);
  }

  /** Decides what the reply will say. Save before posting any of it. After that the run does not count as a crash. */
  decide(outcome: Outcome): void {
    const { fence: settled } = this.#turn;
    this.note({ stage: 'answered', outcome, notBefore: undefined, decidedAt: this.#clocks.now(), settled });
  }

  /** Ends this run normally. The turn's next run begins after this many ms. */
  async pause(ms: number, change: Partial<Turn> = {}): Promise<void> {
    await this.settle({ ...change, notBefore: toWait(ms, this.#clocks.waitClock()) });
  }

  /** Retries the turn after the error's wait; past the limit for all waits, decides `unavailable`. */
  async waitFor(error: TransientError): Promise<void> {
    // Treat Retry-After 0 as absent.
    const ms = error.retryAfterMs || backoffMs(this.#turn.fence);
    const waitedMs = (this.#turn.waitedMs ?? 0) + ms;
    if (waitedMs > LONGEST_WAIT_MS) return this.decide({ kind: 'notice', code: 'unavailable' });
    await this.pause(ms, { stage: 'waiting', waitedMs, waitingFor: error.code });
  }
}

/** 500 ms, doubled with each run, at most a minute. */
export function backoffMs(runs: number): number {
  return Math.min(60_000, 500 * 2 ** Math.min(runs, 8));
}

/** Adds a change. An update is merged into an earlier change of the same conversation. */
function withChange(changes: ThreadChange[], change: ThreadChange): ThreadChange[] {
  if (change.kind !== 'update') return [...changes, change];
  const { conversation } = change;
  const index = changes.findIndex((one) => 'conversation' in one && one.conversation.id === conversation.id);
  const known = changes[index];
  if (known?.kind !== 'keep' && known?.kind !== 'update') return [...changes, change];
  return changes.with(index, { ...known, conversation: withSecrecy(conversation, known.conversation.secrecy) });
}
