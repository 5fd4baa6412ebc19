import { createHmac, hkdfSync } from 'node:crypto';

/** Makes the mark of a person in a workspace: nobody can tell without the key whose it is. */
export type MarkPerson = (workspace: string, person: { team: string; user: string }) => string;

/** Enough that two people of one workspace never have the same. */
const MARK_BYTES = 12;

/**
 * Slack user ids are few enough to be tried out, so a plain hash would hide nobody from who reads the store. The key is
 * made of the first of ENCRYPTION_KEYS; with another first key people get new marks, and are counted once more.
 */
export function createMarks(secret: Buffer): MarkPerson {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'usage marks', 32));
  return (workspace, { team, user }) =>
    createHmac('sha256', key)
      .update(`${workspace}:${team}:${user}`)
      .digest()
      .subarray(0, MARK_BYTES)
      .toString('base64url');
}
