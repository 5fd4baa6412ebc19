/**
 * Whom a conversation of the service is kept from, by all that it was ever told. Whatever makes an answer unfit for some
 * of its readers is a level here. Stored: never renumber.
 * - `none`: from nobody in the thread. Each of them may ask in it.
 * - `others`: there is something in it that others in the thread did not see. Nobody but its owner asks in it.
 * - `thread`: messages of a private channel are in it. Its answers go to its owner alone, too.
 * - `all`: there is something in it that its owner did not see. Nobody asks in it any more.
 */
export const SECRECY = { none: 0, others: 1, thread: 2, all: 3 } as const;

export type Secrecy = (typeof SECRECY)[keyof typeof SECRECY];

/** What of a stored conversation this is about. `owner`: the user whose token made it. */
type Held = { owner: string; secrecy: Secrecy };

export function higherOf(one: Secrecy, other: Secrecy): Secrecy {
  return one > other ? one : other;
}

/** What this person may hear of a conversation only in private. */
export function secrecyFor(user: string, held: Held | undefined): Secrecy {
  return held?.owner === user && held.secrecy !== SECRECY.all ? held.secrecy : SECRECY.none;
}

/** Whether this person may ask in a conversation something of this secrecy. */
export function mayAskIn(held: Held, user: string, secrecy: Secrecy): boolean {
  return held.secrecy !== SECRECY.all && (held.owner === user || higherOf(held.secrecy, secrecy) === SECRECY.none);
}

/** The conversation once it is told something of this secrecy, which it never forgets. Stored before it is told. */
export function withSecrecy<Conversation extends Held>(conversation: Conversation, secrecy: Secrecy): Conversation {
  return { ...conversation, secrecy: higherOf(conversation.secrecy, secrecy) };
}
