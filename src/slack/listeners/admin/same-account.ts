// Two people in Slack who sign in with one account are one admin: neither is a second one for the other.
import type { Person } from '../../../conversation/person.ts';

export type AccountPorts = {
  /** The account's id in the directory, of the sign-in for administration; undefined where it is not known. */
  directoryId(person: Person): Promise<string | undefined>;
};

/** Who approves has the account of who asked. */
export class SameAccountError extends Error {}

/** Whether both are known to be the same account. Who has not signed in yet is asked again when they approve. */
export async function isSameAccount(one: Person, other: Person, { directoryId }: AccountPorts): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(({ team, user }) => directoryId({ team, user })));
  return first !== undefined && first.toLowerCase() === second?.toLowerCase();
}

/** Throws SameAccountError. */
export async function requireOtherAccount(by: Person, approver: Person, ports: AccountPorts): Promise<void> {
  if (await isSameAccount(by, approver, ports)) throw new SameAccountError('both are signed in with one account');
}
