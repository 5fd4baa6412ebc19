// The directory accounts that people signed in with. Two Slack users with one account are the same person.
import { createHash } from 'node:crypto';
import type { Person } from '../conversation/question.ts';
import type { ExpiringStore, LinkStore, NewLink } from './account-link.ts';

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

/** The claims of an id token that name an account. */
type AccountClaims = { iss?: unknown; sub?: unknown; oid?: unknown };

/** No directory has longer ids, and stored values have to stay small. */
const ID_LIMIT = 255;

/**
 * `{issuer}|oid|{id in the directory}`, or `{issuer}|sub|{subject}` if the id token has no `oid`. Undefined if it has
 * neither. The same account always gives the same text.
 */
export function toAccount({ iss, oid, sub }: AccountClaims): string | undefined {
  if (!isId(iss)) return undefined;
  // An oid is a GUID, which is written in both cases; a subject is case-sensitive.
  if (isId(oid)) return `${iss}|oid|${oid.toLowerCase()}`;
  return isId(sub) ? `${iss}|sub|${sub}` : undefined;
}

/**
 * `unknown`, too, if the issuers differ, or if one account has an `oid` and the other a `sub`: they were read with
 * different configurations, and may still be the same account.
 */
export function compareAccounts(one: string | undefined, other: string | undefined): 'same' | 'different' | 'unknown' {
  if (one === undefined || other === undefined) return 'unknown';
  if (one === other) return 'same';
  return toNamespace(one) === toNamespace(other) ? 'different' : 'unknown';
}

/** The id in the directory, in lower case, as inventories name owners. Undefined if only the subject is known. */
function toDirectoryId(account: string | undefined): string | undefined {
  return account === undefined ? undefined : /^[^|]*\|oid\|(.+)$/.exec(account)?.[1];
}

function toNamespace(account: string): string {
  return account.split('|', 2).join('|');
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= ID_LIMIT;
}
