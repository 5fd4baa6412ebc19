import type { Notice } from './outcome.ts';
import type { ReplyPart, Turn } from './turn.ts';

/** One message of a reply, ready to be created or edited. */
export type ReplyMessage = {
  channel: string;
  threadTs?: string | undefined;
  /** The chat platform's affair. */
  content: unknown;
  /** It says all it ever will once it is created, and is never edited. */
  isFixed?: boolean;
};

/** The part number of the line about waiting, which is beside the reply's parts. */
export const WAIT_LINE = -1;

export function isWaitLine({ part }: PartKey): boolean {
  return part === WAIT_LINE;
}

/** Which message of which turn: it is written into the message itself, so that the message can be found again. */
export type PartKey = { workspace: string; turnId: string; part: number };

/**
 * Port: what a turn may do to a thread. Errors: a TransientError means that nothing was done; OutcomeUnknownError that
 * nobody knows; CannotPostError that this place takes no message of ours; RefusedFormError that it takes none like this.
 */
export type Reply = {
  /**
   * The messages the turn's reply consists of, in order, in the turn's form. The same turn always gives the same messages.
   * Throws an error with the code `render_timeout`, unless the form is plain.
   */
  compose(turn: Turn): Promise<ReplyMessage[]>;
  /** What the thread is told while the question waits. */
  composeWaiting(turn: Turn): ReplyMessage;
  /** Returns the new message's ts. */
  create(message: ReplyMessage, key: PartKey): Promise<string>;
  edit(message: ReplyMessage, ts: string, key: PartKey): Promise<'edited' | 'gone'>;
  /** Looks for a message that was perhaps created, more than once if runs overlapped. Returns their ts, oldest first. */
  find(part: ReplyPart, key: PartKey): Promise<string[]>;
  remove(channel: string, ts: string, workspace: string): Promise<void>;
  /** Shows that the question is worked on. Not waited for, and never fails. */
  startWorking(turn: Turn): void;
  /** Ends that, however the turn ends. Repeated after a crash; throws a TransientError where it has to be tried again. */
  stopWorking(turn: Turn): Promise<void>;
  /** Says something to the asker alone. */
  whisper(turn: Turn, notice: Notice): Promise<void>;
  /**
   * Asks the asker, where nobody else sees it, to sign in; true where it did. Where another question of theirs has
   * (`hasPrompted`), or is about to, it says that this one waits as well, beside the question alone.
   */
  promptSignIn(turn: Turn, hasPrompted: boolean): Promise<boolean>;
};
