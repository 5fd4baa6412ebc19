/**
 * Who may use a conversation of the service. That depends on everything it was ever told, because its answers may
 * repeat it. Stored: never renumber.
 * - `none`: everybody in the thread may ask in it.
 * - `others`: it contains something that others in the thread did not see. Only its owner may ask in it.
 * - `thread`: it contains messages of a private channel. Only its owner may ask in it and read its answers.
 * - `all`: it contains something that its owner did not see. Nobody may ask in it any more.
 */
export const SECRECY = { none: 0, others: 1, thread: 2, all: 3 } as const;

export type Secrecy = (typeof SECRECY)[keyof typeof SECRECY];

/** The fields of a stored conversation that are used here. `owner`: the user whose token created it. */
type Held = { owner: string; secrecy: Secrecy };

export function higherOf(one: Secrecy, other: Secrecy): Secrecy {
  return one > other ? one : other;
}

/** The level of the answers that this person gets from a conversation. */
export function secrecyFor(user: string, held: Held | undefined): Secrecy {
  return held?.owner === user && held.secrecy !== SECRECY.all ? held.secrecy : SECRECY.none;
}

/** Whether this person may ask a question of this level in a conversation. */
export function mayAskIn(held: Held, user: string, secrecy: Secrecy): boolean {
  return held.secrecy !== SECRECY.all && (held.owner === user || higherOf(held.secrecy, secrecy) === SECRECY.none);
}

/** The conversation after it was told something of this level. Store it before telling; the level never falls. */
export function withSecrecy<Conversation extends Held>(conversation: Conversation, secrecy: Secrecy): Conversation {
  return { ...conversation, secrecy: higherOf(conversation.secrecy, secrecy) };
}
