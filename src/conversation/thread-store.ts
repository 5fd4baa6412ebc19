/** The service's conversation that a thread, or one person in it, is held in. */
export type ThreadConversation = {
  schema: 1;
  id: string;
  /** The installing team, for purging. Records of the first release have none. */
  workspace?: string;
  /** The person it was created for, and with whose rights it was answered. */
  owner: string;
  /** Whether it is the thread's, or its owner's alone beside the thread's. */
  heldBy: 'thread' | 'person';
  /** An answer was given in it that others in the thread did not see: nobody else may ask in it. */
  hasPrivateAnswers: boolean;
  turnCount: number;
};

/**
 * A change to what is remembered of a thread, written in one with a turn: see TurnStore.
 * - `engage`: a person has spoken to the assistant in it. `workspace`: the installing team, for purging.
 * - `keep`: a new conversation takes the place of `former`, the id of the one that was held in the same way, if any.
 *   Where another is held by now, that one stays: whoever made it did so later.
 * - `update`: what changed about a conversation that is kept. That it has private answers is never taken back.
 * - `drop`: a conversation is forgotten.
 */
export type ThreadChange = { thread: string } & (
  | { kind: 'engage'; user: string; workspace: string }
  | { kind: 'keep'; conversation: ThreadConversation; former: string | undefined }
  | { kind: 'update'; conversation: ThreadConversation }
  | { kind: 'drop'; conversation: ThreadConversation }
);

/** Port: what is remembered of Slack threads. `thread` is a thread key; `user` a Slack user id. */
export type ThreadStore = {
  isEngaged(thread: string, user: string): Promise<boolean>;
  /** The conversation that this person's questions go to: their own in this thread, else the thread's. */
  conversation(thread: string, user: string): Promise<ThreadConversation | undefined>;
  /** Forgets threads in which nothing happened since `before` (epoch ms). */
  forget(before: number): Promise<number>;
};
