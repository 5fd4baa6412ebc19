import type { Outcome } from './outcome.ts';
import type { Question } from './question.ts';

/** How far the question got. See resume-turn.ts for what each means after a crash. */
export type Stage = 'accepted' | 'waiting' | 'parked' | 'asking' | 'answered' | 'stopped' | 'cancelled' | 'done';

/**
 * How far one message of the reply got. `placing`: its creation had begun and no `ts` is stored, so it may or may not
 * exist; `placed`: it exists, and finishing it means editing it.
 */
export type ReplyPart = {
  step: 'none' | 'placing' | 'placed';
  channel: string;
  threadTs?: string;
  ts?: string;
  /** What it says, by the result of the turn and its form: it need not be edited into what it says already. */
  says?: string;
  /** Epoch ms of the last attempt to create it, by our clock. */
  placingAt?: number;
  /** By Slack's clock: the ts of the message that asks, than which it cannot be older. */
  since?: string | undefined;
};

/** What a reply is simplified to where the chat platform refuses it for its form: in smaller messages, then as plain text. */
export type ReplyForm = 'small' | 'plain';

/** One question and its one reply, from acceptance to the end: the record that a crash is picked up from. */
export type Turn = {
  schema: 1;
  id: string;
  /** One lane is one thread; its turns run one at a time, in order of arrival. */
  lane: string;
  question: Question;
  stage: Stage;
  /** Epoch ms before which nothing happens: a wait that the service or Slack asked for, or a parked turn's expiry. */
  notBefore?: number | undefined;
  /** Epoch ms of the first wait: all waits of a turn together have a limit. */
  waitingSince?: number | undefined;
  /** The error code that the last wait was for. */
  waitingFor?: string | undefined;
  acceptedAt: number;
  /** Counts the runs. Every write of a run is refused once a later run has begun. */
  fence: number;
  /** Runs that ended in an error nobody foresaw. Past a limit the turn is given up: see run-turn.ts. */
  failures: number;
  /** The fence of the last run that ended orderly: whatever began since then died. */
  settled?: number;
  /** What failed last, for operators: an error's code, or its kind and place. Never text of people. */
  lastError?: string | undefined;
  /**
   * The fence of the last run that ended what the thread shows of work. Where a run after it did not get that far, it may
   * have begun anew.
   */
  idleAt?: number;
  /** Nothing is asked: it only ends what the thread shows of work, where Slack did not let another turn do that. */
  endsWork?: boolean;
  /** Its asker was prompted to sign in by this one, which the others of theirs need not do again. */
  hasPrompted?: boolean;
  parts: ReplyPart[];
  /** The line that tells the thread that the question waits. It goes once the reply is there. */
  waitLine?: ReplyPart | undefined;
  outcome?: Outcome | undefined;
  /** Set before the next attempt, so that a crash in between goes on with it. */
  form?: ReplyForm;
  /** How a done turn ended, once its outcome is dropped: `answer` or the code of a notice. */
  result?: string;
};

/** What is worth counting about turns. It names nobody. */
export type TurnEvent =
  /** `result`: `answer` or the code of a notice. `ms`: since it was accepted. */
  | { kind: 'done'; result: string; ms: number }
  /** It has to wait, for so long (ms). `code`: of the error that it waits for. */
  | { kind: 'waits'; code: string; ms: number }
  /** A run found that a later one had begun. */
  | { kind: 'fence_lost' }
  /** Such a run had made a message that the later one made as well, and removed its own. */
  | { kind: 'stray_removed' };
