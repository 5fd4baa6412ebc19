import { randomBytes } from 'node:crypto';
import type { Language } from '../languages/language.ts';
import type { Outcome } from './outcome.ts';
import type { Question } from './question.ts';
import type { Secrecy } from './secrecy.ts';

/** How far the question got. See resume-turn.ts for what each means after a crash. */
export type Stage = 'accepted' | 'waiting' | 'parked' | 'asking' | 'answered' | 'stopped' | 'cancelled' | 'done';

/**
 * How far one message of the reply got. `placing`: its creation began and no `ts` is stored, so it may or may not exist;
 * `placed`: it exists.
 */
export type ReplyPart = {
  step: 'none' | 'placing' | 'placed';
  channel: string;
  threadTs?: string;
  ts?: string;
  /** Result and form of what it says, to skip an edit that would change nothing. */
  says?: string;
  /** Epoch ms of the last attempt to create it, by our clock. */
  placingAt?: number;
  /** The ts of the question's message. The part cannot be older, by Slack's clock. */
  since?: string | undefined;
  /**
   * It was begun while the answer arrived, and shows what had arrived by then. `open`: it may still take text, and Slack
   * refuses to change or delete it until it is ended.
   */
  stream?: 'open' | 'ended';
};

export type PlacedMessage = { channel: string; ts: string };

/** Simpler forms, for when Slack refuses a reply: smaller messages, then plain text. */
export type ReplyForm = 'small' | 'plain';

/** What the window *Details* shows in addition to the notes below an answer. No text, no names: kept after the end. */
export type AnswerDetails = {
  timeZone: string;
  quotes?: { messages: number; cut: number };
  permalinks?: { used: number; refused: number };
  textFiles?: number;
  /** A rule turned web search off, not the question. */
  isWebOffByRule?: boolean;
  /** The service's id of the request, for its support. */
  requestId?: string;
};

/** The service's conversation for a thread, or for one person in it. */
export type ThreadConversation = {
  schema: 1;
  id: string;
  /** The installing team, for purging. */
  workspace: string;
  /** The user whose token created it. It answers with their permissions. */
  owner: string;
  /** When they signed in: see Access. A later sign-in may be of another account. */
  linkedAt?: number | undefined;
  /** `person`: used by its owner alone. The thread may have a conversation of its own. */
  heldBy: 'thread' | 'person';
  secrecy: Secrecy;
  turnCount: number;
  /** It replaces one that its first answer may lack, and there is no answer yet that says so. */
  contextLost?: boolean | undefined;
  /** The thread was quoted up to this ts. Undefined: nothing was quoted. */
  readUpTo?: string | undefined;
};

/**
 * A change to what is stored about a thread, written atomically with a turn: see TurnStore.
 * - `engage`: a person has spoken to the assistant in it. `workspace`: the installing team, for purging.
 * - `keep`: a new conversation replaces `former`, the id of the one with the same `heldBy`, if any. If another one is
 *   stored by now, that one stays, because it is newer.
 * - `update`: a changed record of a stored conversation. Its `secrecy` is never lowered.
 * - `drop`: a conversation is forgotten.
 */
export type ThreadChange = { thread: string } & (
  | { kind: 'engage'; user: string; workspace: string }
  | { kind: 'keep'; conversation: ThreadConversation; former: string | undefined }
  | { kind: 'update'; conversation: ThreadConversation }
  | { kind: 'drop'; conversation: ThreadConversation }
);

/** One question and its one reply, from acceptance to the end. After a crash, work continues from this record. */
export type Turn = {
  schema: 1;
  id: string;
  /** One lane is one thread; its turns run one at a time, in order of arrival. */
  lane: string;
  question: Question;
  stage: Stage;
  /** Epoch ms before which nothing happens: the end of a wait (see waits.ts), or a parked turn's expiry. */
  notBefore?: number | undefined;
  /** All waits for the service together, in ms. */
  waitedMs?: number | undefined;
  /** The error code that the last wait was for. */
  waitingFor?: string | undefined;
  acceptedAt: number;
  /** Counts the runs. Every write of a run is refused once a later run has begun. */
  fence: number;
  /**
   * Random, of the last run that began. If the store lost its last moments or the turn was purged and accepted again, two
   * runs have the same fence; only the later one may write.
   */
  run?: string;
  /** Runs that ended in an unexpected error. Past a limit the turn is given up: see give-up.ts. */
  failures: number;
  /** The last fence of a run that ended normally or decided the outcome, or that no run has. All runs since then died. */
  settled?: number;
  /** The last error, for operators: its code, or its name and location. Never people's text. */
  lastError?: string | undefined;
  /** The fence of the last run that cleared the thread's working status. A later run may have set it again. */
  idleAt?: number;
  /** Asks nothing: it only clears the working status, after Slack refused this for another turn. */
  endsWork?: boolean;
  /** The asker's language. Absent until the first run. */
  language?: Language;
  /** This turn prompted its asker to sign in, so their other turns need not. */
  hasPrompted?: boolean;
  /** The sign-in prompt, to edit it after the sign-in. Unknown for ephemeral prompts: Slack returns no ts for them. */
  prompt?: PlacedMessage | undefined;
  parts: ReplyPart[];
  /** The line in the thread that says that the question waits. Removed once the reply is posted. */
  waitLine?: ReplyPart | undefined;
  /** The answer, and every other text of the service, is for the asker alone. Written when the question is asked. */
  isPrivate?: boolean;
  outcome?: Outcome | undefined;
  /** Written when an answer is decided. */
  details?: AnswerDetails;
  /** Question, outcome and details, if no encryption key can decrypt them. The turn is then returned without them. */
  sealed?: string;
  /** Changes to the thread that are not written yet: see noteThread of run.ts. */
  threadChanges?: ThreadChange[] | undefined;
  /** The id of the service's conversation in which it was answered. */
  conversation?: string;
  /** Epoch ms at which the outcome was decided. */
  decidedAt?: number;
  /** Saved before the next attempt, so that a run after a crash continues with it. */
  form?: ReplyForm;
  /** How a done turn ended, once its outcome is dropped: see toResult. */
  result?: string;
};

/** A new `run` of a turn. Short: done turns are kept for a month. */
export function toRunId(): string {
  return randomBytes(6).toString('base64url');
}

/** What metrics count about turns. Identifies nobody. */
export type TurnEvent =
  /** `result`: `answer` or the code of a notice. `ms`: since it was accepted. */
  | { kind: 'done'; result: string; ms: number }
  /** It has to wait `ms`. `code`: of the error that caused the wait. */
  | { kind: 'waits'; code: string; ms: number }
  /** A run found that a later one had begun. */
  | { kind: 'fence_lost' }
  /** A duplicate message was removed. */
  | { kind: 'stray_removed' }
  | FeedbackEvent;

export type Verdict = 'good' | 'bad';

export const FEEDBACK_REASONS = ['wrong', 'outdated', 'wrong_source', 'not_helpful', 'too_slow', 'other'] as const;

export type FeedbackReason = (typeof FEEDBACK_REASONS)[number];

/**
 * Somebody judged an answer. `none`: the verdict itself, once per person and answer, and again if they change it. Each
 * reason that they give is one more event.
 */
export type FeedbackEvent = { kind: 'feedback'; verdict: Verdict; reason: FeedbackReason | 'none' };
