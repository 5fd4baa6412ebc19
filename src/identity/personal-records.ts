import type { Person } from '../conversation/question.ts';
import type { ThreadConversation, Turn } from '../conversation/turn.ts';

/** `spokenIn`: keys of the threads in which a person has spoken to the app. */
export type PersonalThreads = {
  spokenIn: string[];
  conversations: { thread: string; conversation: ThreadConversation }[];
};

/**
 * Port: the records about one person's questions, in all workspaces of their team. Only for requests by the person,
 * because it reads all records, in small steps.
 */
export type PersonalRecords = {
  /** All turns, including done ones, in order of acceptance. */
  turns(person: Person): Promise<Turn[]>;
  threads(person: Person): Promise<PersonalThreads>;
  /**
   * Removes their done turns, the marks where they have spoken, and their own conversations; a shared thread
   * begins a new conversation. Turns that are not done stay. Returns how many records were removed.
   */
  forget(person: Person): Promise<number>;
};
