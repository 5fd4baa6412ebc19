import { LRUCache } from 'lru-cache';
import type { CallSlack } from './web/methods.ts';
import { isSlackError, toRepeatable } from './web/slack-errors.ts';

type Place = { workspace: string; homeTeam?: string };

/**
 * The user ids of a group's members; none if that team has no such group. `homeTeam`: the team to look in, if the app is
 * installed for a whole organisation. `isFresh`: skips the cache. Throws a TransientError or SlackRefusedError.
 */
export type ReadGroupMembers = (place: Place, group: string, options?: { isFresh: boolean }) => Promise<string[]>;

/** People who left the group can still read for this long. Before changes, `isFresh` is used. */
const TTL_MS = 5 * 60_000;

const MAX_GROUPS = 1_000;

export function createGroupReader(call: CallSlack): ReadGroupMembers {
  const members = new LRUCache<string, string[], { place: Place; group: string }>({
    max: MAX_GROUPS,
    ttl: TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context: { place, group } }) => read(place, group),
  });

  async function read({ workspace, homeTeam }: Place, group: string): Promise<string[]> {
    const args = { usergroup: group, ...(homeTeam && { team_id: homeTeam }) };
    const { users = [] } = await call('usergroups.users.list', workspace, args);
    return users;
  }

  return async (place, group, { isFresh } = { isFresh: false }) => {
    const key = `${place.workspace}:${place.homeTeam ?? ''}:${group}`;
    // A read that is under way may be outdated.
    if (isFresh) members.delete(key);
    try {
      return await members.forceFetch(key, { context: { place, group } });
    } catch (error) {
      // ADMIN_USERS may name groups of other workspaces.
      if (isSlackError(error, 'no_such_subteam')) return [];
      throw toRepeatable('usergroups.users.list', error);
    }
  };
}
