import { createHmac, hkdfSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Makes the mark of a person in a workspace: nobody can tell without the key whose it is. */
export type MarkPerson = (workspace: string, person: { team: string; user: string }) => string;

/** Enough that two people of one workspace never have the same. */
const MARK_BYTES = 12;

/** Everybody who asks within a few minutes: making a mark costs as much as all else that is counted of a turn. */
const MAX_KEPT = 10_000;

/**
 * Slack user ids are few enough to be tried out, so a plain hash would hide nobody from who reads the store. The key is
 * made of the first of ENCRYPTION_KEYS; with another first key people get new marks, and are counted once more.
 */
export function createMarks(secret: Buffer): MarkPerson {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'usage marks', 32));
  const marks = new LRUCache<string, string>({
    max: MAX_KEPT,
    memoMethod: (person) =>
      createHmac('sha256', key).update(person).digest().subarray(0, MARK_BYTES).toString('base64url'),
  });
  return (workspace, { team, user }) => marks.memo(`${workspace}:${team}:${user}`);
}
