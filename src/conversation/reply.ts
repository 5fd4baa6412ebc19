import type { Language } from '../languages/language.ts';
import type { Notice } from './outcome.ts';
import type { ReplyPart, Turn } from './turn.ts';

/** One message of a reply, ready to be created or edited. */
export type ReplyMessage = {
  channel: string;
  threadTs?: string | undefined;
  /** Opaque here: built and read by the Slack surface. */
  content: unknown;
  /** Must not be edited after its creation. */
  isFixed?: boolean;
  /** Goes below what the message shows already, instead of replacing it. Only for messages that were streamed. */
  isAddition?: boolean;
};

/** The part number of the waiting line, which is not one of the reply's parts. */
export const WAIT_LINE = -1;

/** Which message of which turn. Written into the message's metadata, by which it is found again. */
export type PartKey = { workspace: string; turnId: string; part: number };

/** An answer that is shown while it arrives. */
export type AnswerStream = {
  /** There is more text: `readText` returns all of it. Never throws; what cannot be shown now is left to the reply. */
  grow(readText: () => string): void;
  /** Resolves once nothing more is written. The last message stays open: see Reply.endStream. */
  close(): Promise<void>;
};

/** Keeps the record of the messages that a stream makes, so that a crash leaves none behind. */
export type StreamRecord = {
  /** To be called before a message is created. Rejects if this run must not create any. */
  begin(): Promise<PartKey>;
  /** The message exists. */
  placed(key: PartKey, ts: string): Promise<void>;
  /** Slack refused the message: it does not exist. */
  refused(key: PartKey): void;
  /** The message was full and is ended: the text goes on in another one. */
  ended(key: PartKey): void;
};

/**
 * Port: what a turn may do to a thread. Errors: TransientError: nothing was done; OutcomeUnknownError: it may have been
 * done; CannotPostError: this channel takes no message from us; RefusedFormError: not in this form.
 */
export type Reply = {
  /**
   * The messages of the turn's reply, in order, in the turn's form. Deterministic. May throw an error with the code
   * `render_timeout`, except in the plain form.
   */
  compose(turn: Turn): Promise<ReplyMessage[]>;
  /** What the thread is told while the question waits. */
  composeWaiting(turn: Turn): ReplyMessage;
  /** Returns the new message's ts. */
  create(message: ReplyMessage, key: PartKey): Promise<string>;
  /** `gone`: it does not exist, or cannot be edited any more. */
  edit(message: ReplyMessage, ts: string, key: PartKey): Promise<'edited' | 'gone'>;
  /**
   * Searches for a message that may have been created, several times if runs overlapped. Returns their ts, oldest first.
   * `known`: the ts of the turn's other messages.
   */
  find(part: ReplyPart, key: PartKey, known: readonly string[]): Promise<string[]>;
  /** Shows the turn's answer while it arrives. Undefined: not in this place. */
  stream(turn: Turn, record: StreamRecord): AnswerStream | undefined;
  /** Ends a streamed message, if it has not ended by itself. Safe to repeat. */
  endStream(turn: Turn, part: ReplyPart, ts: string, key: PartKey): Promise<void>;
  /** `language`: of the text that replaces the message if messages cannot be deleted. */
  remove(channel: string, ts: string, workspace: string, language?: Language): Promise<void>;
  /** Shows the working status. Fire and forget: never throws. */
  startWorking(turn: Turn): void;
  /** Clears the working status, however the turn ends. Repeated after a crash. Throws TransientError: retry later. */
  stopWorking(turn: Turn): Promise<void>;
  /** Says something to the asker alone. */
  whisper(turn: Turn, notice: Notice): Promise<void>;
  /**
   * Asks the asker privately to sign in, and resolves with whether it did. If another question of this person has asked
   * already (`hasPrompted`) or is about to, it only says that this question waits as well.
   */
  promptSignIn(turn: Turn, hasPrompted: boolean): Promise<Pick<Turn, 'hasPrompted' | 'prompt'>>;
};
