import type { Language } from '../languages/language.ts';
import type { QuotedNotes } from './outcome.ts';
import type { Question, UnusableFile } from './question.ts';
import type { Secrecy } from './secrecy.ts';
import type { AnswerDetails, ThreadConversation } from './turn.ts';

/** Quotes what others wrote. The service takes one text, so the quotes are part of it. */
export type Quoting = {
  /** `others`: there are quotes from other channels. `thread`: from private channels or direct messages. */
  secrecy: Secrecy;
  /**
   * `known`: the conversation that the question goes to, if something was asked in it before; it gets only what is new.
   * Never fails: what cannot be read is left out.
   */
  compose(known: ThreadConversation | undefined): Promise<Quoted>;
};

export type Quoted = {
  /** The quotes, then the asker's words. Only the asker's words if there is nothing to quote. */
  text: string;
  /** The asker's words alone, with the names of the people mentioned in them. */
  own: string;
  /** Links in the messages that were read. */
  links: string[];
  unusable: UnusableFile[];
  /** The thread was read up to this message. Undefined: it was not read. */
  readUpTo?: string | undefined;
  details: Pick<AnswerDetails, 'quotes' | 'permalinks' | 'textFiles'>;
  /** What the asker is told under the answer. */
  notes?: QuotedNotes | undefined;
};

/** Begins to read the messages to quote with a question. Never fails. */
export type Quote = (question: Question, language: Language) => Promise<Quoting>;

/** What is sent: the text and the documents that the service reads. */
export type QuotedText = Quoted & { files: string[] };

/** The later of two message ts. */
export function laterOf(one: string | undefined, other: string | undefined): string | undefined {
  if (!one || !other) return one ?? other;
  return Number(one) > Number(other) ? one : other;
}
