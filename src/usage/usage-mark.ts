import { createHmac, hkdfSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Makes the mark of a person in a workspace. Without the key, nobody can tell whose mark it is. */
export type MarkPerson = (workspace: string, person: { team: string; user: string }) => string;

/** Enough that two people of one workspace never get the same mark. */
const MARK_BYTES = 12;

/** Enough for everybody who asks within minutes. Making a mark costs as much as all other counting of a turn. */
const MAX_KEPT = 10_000;

/**
 * A plain hash would not hide people from readers of the store, because all Slack user ids can be tried. The key is
 * derived from the first of ENCRYPTION_KEYS. With another first key, people get new marks and are counted once more.
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
