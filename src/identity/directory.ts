import { createHash } from 'node:crypto';
import type { Person } from '../conversation/question.ts';
import type { ExpiringStore, LinkStore, NewLink } from './account-link.ts';
import { toDirectoryId } from './directory-account.ts';

export type Directory = ReturnType<typeof createDirectory>;

/** A stored mapping is only a hint: it is always verified against the link. */
const KEPT_MS = 3 * 365 * 24 * 60 * 60 * 1000;

type DirectoryPorts = { once: ExpiringStore; links: Pick<LinkStore, 'get'>; now: () => number };

/** Maps accounts of the directory to people in Slack, among those who have signed in. */
export function createDirectory({ once, links, now }: DirectoryPorts) {
  async function listIds(person: Person): Promise<string[]> {
    const both = [links.get({ ...person, purpose: 'assistant' }), links.get({ ...person, purpose: 'admin' })];
    return (await Promise.all(both)).flatMap((link) => toDirectoryId(link?.account) ?? []);
  }

  /** Undefined: nobody of this team who is signed in has an account with this id. */
  async function find(team: string, directoryId: string): Promise<Person | undefined> {
    const key = toKey(team, directoryId);
    const user = await once.peek(key);
    if (user === undefined) return undefined;
    const person = { team, user };
    if ((await listIds(person)).includes(directoryId.toLowerCase())) return person;
    // They have signed out, or signed in with another account.
    await once.take(key);
    return undefined;
  }

  return {
    find,
    /** The id of somebody's account in the directory. Undefined: not signed in, or not known. */
    findId: async (person: Person) => (await listIds(person))[0],
    /** Call for each new link. */
    async remember({ team, user, account }: NewLink): Promise<void> {
      const directoryId = toDirectoryId(account);
      if (directoryId !== undefined) await once.put(toKey(team, directoryId), user, now() + KEPT_MS);
    },
    /** Call for each deleted link, to delete its mapping. */
    async forget({ team, account }: NewLink): Promise<void> {
      const directoryId = toDirectoryId(account);
      // This deletes the mapping, unless the account is still linked for the other purpose.
      if (directoryId !== undefined) await find(team, directoryId);
    },
  };
}

/** A digest, so that leftovers after a sign-out do not identify the account. */
function toKey(team: string, directoryId: string): string {
  const digest = createHash('sha256').update(`${team}\n${directoryId.toLowerCase()}`).digest('base64url');
  return `directory:${digest}`;
}
