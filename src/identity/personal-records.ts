import type { Person } from '../conversation/question.ts';
import type { ThreadConversation, Turn } from '../conversation/turn.ts';

/** `spokenIn`: keys of the threads in which a person has spoken to the app. */
export type PersonalThreads = {
  spokenIn: string[];
  conversations: { thread: string; conversation: ThreadConversation }[];
};

/**
 * Port: what is stored about the questions of one person, in all workspaces of their team. For what people ask for
 * themselves: it reads through all records, in small steps.
 */
export type PersonalRecords = {
  /** In order of acceptance, those that are done included. */
  turns(person: Person): Promise<Turn[]>;
  threads(person: Person): Promise<PersonalThreads>;
  /**
   * Removes their done turns, where they have spoken, and the conversations that were created for them; a shared thread
   * begins a new conversation. Turns that are not done stay. Returns how many records were removed.
   */
  forget(person: Person): Promise<number>;
};
