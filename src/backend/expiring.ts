import type { ClaimStore } from '../identity/account-link.ts';
import { amend, type Kernel, read } from '../storage/kernel.ts';

/** Keys with a team: a purge of the workspace removes their values. */
const OF_TEAM = /^(?:greeted|home|report-latest|slackbot-question|slackbot-answer:slackbot):(?<team>[^:]+):/;

/** Ids and times that are kept for years, so they have to outlive encryption keys. No text and no names. */
export function isKeptInTheOpen(key: string): boolean {
  return /^(directory|greeted|slack-sighting):/.test(key);
}

/** Values that expire. If the reply to a `take` is lost, the value is lost, and its holder has to start again. */
export function createExpiring(kernel: Kernel): ClaimStore {
  const toWrite = (key: string, value: string, expiresAt: number) => {
    const { team } = OF_TEAM.exec(key)?.groups ?? {};
    return { put: toKey(key), body: value, expiresAt, ...(team && { entries: [{ index: `workspace:${team}` }] }) };
  };

  return {
    async put(key, value, expiresAt) {
      await kernel.commit([toWrite(key, value, expiresAt)]);
    },
    async claim(key, value, expiresAt) {
      let held = value;
      await amend<string>(kernel, [toKey(key)], ([found]) => {
        held = found?.body ?? value;
        return found ? undefined : [toWrite(key, value, expiresAt)];
      });
      return held;
    },
    async replace(key, toValue, expiresAt) {
      await amend<string>(kernel, [toKey(key)], ([found]) => found && [toWrite(key, toValue(found.body), expiresAt)]);
    },
    async take(key) {
      let taken: string | undefined;
      await amend<string>(kernel, [toKey(key)], ([found]) => {
        taken = found?.body;
        return found && [{ drop: found.key }];
      });
      return taken;
    },
    peek: async (key) => (await read<string>(kernel, toKey(key)))?.body,
  };
}

function toKey(key: string): string {
  return `once:${key}`;
}
