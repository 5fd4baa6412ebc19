import { createHash } from 'node:crypto';
import type { Person } from '../conversation/question.ts';
import type { AccountLink, ExpiringStore, LinkStore } from './account-link.ts';

/** Who in Slack somebody of the directory is, as far as people have signed in. */
export type Directory = {
  /** To be told of each new link. */
  remember(link: AccountLink): Promise<void>;
  /** To be told of each link that is not there any more, so that nothing of it is left. */
  forget(link: AccountLink): Promise<void>;
  /** Undefined: nobody of this team who is signed in has an account with this id. */
  find(team: string, directoryId: string): Promise<Person | undefined>;
};

/** A hint outlives many sign-ins, and is worth nothing without the link that it is held against. */
const KEPT_MS = 3 * 365 * 24 * 60 * 60 * 1000;

export function createDirectory({
  once,
  links,
  now,
}: {
  once: ExpiringStore;
  links: Pick<LinkStore, 'get'>;
  now: () => number;
}): Directory {
  async function isTheirs(person: Person, directoryId: string): Promise<boolean> {
    const both = [links.get({ ...person, purpose: 'assistant' }), links.get({ ...person, purpose: 'admin' })];
    return (await Promise.all(both)).some((link) => isSame(link?.directoryId, directoryId));
  }

  const directory: Directory = {
    async remember({ team, user, directoryId }) {
      if (directoryId !== undefined) await once.put(toKey(team, directoryId), user, now() + KEPT_MS);
    },
    async find(team, directoryId) {
      const key = toKey(team, directoryId);
      const user = await once.peek(key);
      if (user === undefined) return undefined;
      const person = { team, user };
      if (await isTheirs(person, directoryId)) return person;
      // They have signed out, or in with another account.
      await once.take(key);
      return undefined;
    },
    async forget({ team, directoryId }) {
      // Whoever is signed in with it for something else is still found.
      if (directoryId !== undefined) await directory.find(team, directoryId);
    },
  };
  return directory;
}

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** A digest: what is left after a sign-out does not name the account. */
function toKey(team: string, directoryId: string): string {
  const digest = createHash('sha256').update(`${team}\n${directoryId.toLowerCase()}`).digest('base64url');
  return `directory:${digest}`;
}
