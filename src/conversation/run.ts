import type { AssistantClient } from '../assistant/assistant-client.ts';
import { PermanentError, StoreUnavailableError, type TransientError } from '../errors.ts';
import type { Language } from '../languages/language.ts';
import type { Log } from '../log.ts';
import { retry } from '../retry.ts';
import type { QuestionRules, ReadChannelSettings } from './channel-settings.ts';
import type { FileRules } from './file-uses.ts';
import type { NoticeCode, Outcome, SharedMessage } from './outcome.ts';
import type { Audience, Person, Question } from './question.ts';
import type { CheckCaps } from './question-caps.ts';
import type { Quote } from './quoting.ts';
import type { Reply } from './reply.ts';
import { withSecrecy } from './secrecy.ts';
import type { QuestionContent, ThreadStore, TurnStore } from './stores.ts';
import type { ThreadChange, Turn, TurnEvent } from './turn.ts';
import { LONGEST_WAIT_MS, toWait } from './waits.ts';

/** What runs of turns use. */
export type RunPorts = {
  turns: Pick<TurnStore, 'accept' | 'get' | 'head' | 'parked' | 'save'>;
  threads: Pick<ThreadStore, 'conversation'>;
  assistant: AssistantClient;
  reply: Reply;
  /** The notice that says why this person may not ask here. Undefined: they may. */
  admit(question: Question): Promise<NoticeCode | undefined>;
  /** The rules that administrators have set for the question. */
  rules: ReadChannelSettings<keyof QuestionRules>;
  /** Counts the question if its channel has a cap. Returns a notice if the cap is reached. */
  checkCaps: CheckCaps;
  /** Throws AccountNotLinkedError. The turn is then parked until the person has signed in. */
  access(question: Question): Promise<Access>;
  /** A new access token to replace one that the service refused. */
  renewToken(person: Person, rejected: string): Promise<string>;
  /** How long the circuit breaker still blocks this person's requests, in ms; 0: not at all. */
  assistantPausedMs(person: Person): number;
  /** Who reads the channel of the question. Never fails. */
  audience(question: Question): Promise<Audience>;
  /** The asker's direct message channel. */
  privateChannel(question: Question): Promise<string>;
  /** The asker's language. Never fails. */
  language(question: Question): Promise<Language>;
  /** The asker's IANA time zone. Never fails. */
  timeZone(question: Question): Promise<string>;
  /** The asker's name, if it is known without a request to Slack. */
  askerName(question: Question): string | undefined;
  /** What others wrote, quoted with the question. */
  quote: Quote;
  fileRules: FileRules;
  /** Reads a question that is asked again from Slack, because its text is not stored. Undefined: it is gone. */
  readQuestion(question: Question): Promise<ReadQuestion | undefined>;
  /** The messages of a private answer to share. Deleted ones are left out. */
  readShared(question: Question): Promise<SharedMessage[]>;
  wake(lane: string): void;
  tell(event: TurnEvent): void;
  /** Counts a turn that is done, `ms` after it was accepted. Never throws. */
  count(turn: Turn, ms: number): void;
  /** Whether the lane is still this run's. */
  isHeld(): boolean;
  /** Both in epoch ms. `waitClock`: see createWaitClock. */
  now(): number;
  waitClock(): number;
  log: Log;
};

/**
 * `isPrivate`: the asker chose to get answers to questions in channels privately. `linkedAt`: when they signed in (epoch
 * ms), which tells this sign-in from others.
 */
export type Access = { accessToken: string; isPrivate: boolean; linkedAt?: number };

/** `isByAsker`: only the asker can have written the current text. `isFollowed`: see Question. */
export type ReadQuestion = QuestionContent & { isByAsker: boolean; isFollowed: boolean };

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

/** One run of a turn: the record as this run knows it, the only way to write it, and what the run uses. */
export class Run {
  readonly times: Times;
  readonly ports: RunPorts;
  /** Aborted when somebody stops the turn. */
  readonly signal: AbortSignal;
  #turn: Turn;
  #saved: Turn;

  constructor(turn: Turn, ports: RunPorts, signal: AbortSignal) {
    this.#turn = turn;
    this.#saved = turn;
    this.ports = ports;
    this.signal = signal;
    this.times = { queueMs: ports.now() - turn.acceptedAt, serviceMs: 0, slackMs: 0 };
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

  /**
   * Throws FenceLostError if another replica may have the lane. To be called right before each request that must not be
   * made twice: a process that was frozen must not ask or post any more.
   */
  mustBeHeld(): void {
    if (!this.ports.isHeld()) throw new FenceLostError(this.#turn.id);
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
    const save = () => this.ports.turns.save(turn, isAsking ? [] : changes, mayBeLost);
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
    this.note(toDecided(this.#turn, outcome, this.ports.now()));
  }

  /** Ends this run normally. The turn's next run begins after this many ms. */
  async pause(ms: number, change: Partial<Turn> = {}): Promise<void> {
    await this.settle({ ...change, notBefore: toWait(ms, this.ports.waitClock()) });
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

/** What changes when the outcome is decided. */
export function toDecided({ fence: settled }: Turn, outcome: Outcome, decidedAt: number): Partial<Turn> {
  return { stage: 'answered', outcome, notBefore: undefined, decidedAt, settled };
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
