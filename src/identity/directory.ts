import { createHash } from 'node:crypto';
import type { Person } from '../conversation/question.ts';
import type { ExpiringStore, LinkStore, NewLink } from './account-link.ts';
import { toDirectoryId } from './directory-account.ts';

/** Maps accounts of the directory to people in Slack, among those who have signed in. */
export type Directory = {
  /** Call for each new link. */
  remember(link: NewLink): Promise<void>;
  /** Call for each deleted link, so that nothing of it is left. */
  forget(link: NewLink): Promise<void>;
  /** Undefined: nobody of this team who is signed in has an account with this id. */
  find(team: string, directoryId: string): Promise<Person | undefined>;
  /** The directory's id of somebody's account; undefined where they are not signed in, or it is not known. */
  findId(person: Person): Promise<string | undefined>;
};

/** A stored mapping is only a hint: it is always verified against the link. */
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
  async function listIds(person: Person): Promise<string[]> {
    const both = [links.get({ ...person, purpose: 'assistant' }), links.get({ ...person, purpose: 'admin' })];
    return (await Promise.all(both)).flatMap((link) => toDirectoryId(link?.account) ?? []);
  }

  async function isTheirs(person: Person, directoryId: string): Promise<boolean> {
    return (await listIds(person)).includes(directoryId.toLowerCase());
  }

  const directory: Directory = {
    async remember({ team, user, account }) {
      const directoryId = toDirectoryId(account);
      if (directoryId !== undefined) await once.put(toKey(team, directoryId), user, now() + KEPT_MS);
    },
    async find(team, directoryId) {
      const key = toKey(team, directoryId);
      const user = await once.peek(key);
      if (user === undefined) return undefined;
      const person = { team, user };
      if (await isTheirs(person, directoryId)) return person;
      // They have signed out, or signed in with another account.
      await once.take(key);
      return undefined;
    },
    findId: async (person) => (await listIds(person))[0],
    async forget({ team, account }) {
      const directoryId = toDirectoryId(account);
      // `find` deletes the mapping, unless the account is still linked for the other purpose.
      if (directoryId !== undefined) await directory.find(team, directoryId);
    },
  };
  return directory;
}

/** A digest, so that leftovers after a sign-out do not identify the account. */
function toKey(team: string, directoryId: string): string {
  const digest = createHash('sha256').update(`${team}\n${directoryId.toLowerCase()}`).digest('base64url');
  return `directory:${digest}`;
}
