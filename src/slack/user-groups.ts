import { LRUCache } from 'lru-cache';
import type { CallSlack } from './web/methods.ts';
import { isSlackError, SlackRefusedError, toRepeatable } from './web/slack-errors.ts';

/** `homeTeam`: the team to look in, if the app is installed for a whole organisation. */
type GroupPlace = { workspace: string; homeTeam?: string | undefined };

type Handles = ReadonlyMap<string, string>;

export type Groups = ReturnType<typeof createGroups>;

/** People who left the group can still read for this long. Before changes, `isFresh` is used. */
const MEMBERS_TTL_MS = 5 * 60_000;

const HANDLES_TTL_MS = 3_600_000;

const MAX_GROUPS = 1_000;

export function createGroups(call: CallSlack) {
  const members = new LRUCache<string, string[], { place: GroupPlace; group: string }>({
    max: MAX_GROUPS,
    ttl: MEMBERS_TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context: { place, group } }) => readMembers(place, group),
  });
  const handles = new LRUCache<string, Handles, GroupPlace>({
    max: MAX_GROUPS,
    ttl: HANDLES_TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context }) => readHandles(context),
  });

  async function readMembers({ workspace, homeTeam }: GroupPlace, group: string): Promise<string[]> {
    const args = { usergroup: group, ...(homeTeam && { team_id: homeTeam }) };
    const { users = [] } = await call('usergroups.users.list', workspace, args);
    return users;
  }

  /** Slack has no method for one group. Messages may mention groups that were disabled since. */
  async function readHandles({ workspace, homeTeam }: GroupPlace): Promise<Handles> {
    try {
      const args = { include_disabled: true, ...(homeTeam && { team_id: homeTeam }) };
      const { usergroups = [] } = await call('usergroups.list', workspace, args, 'extra');
      return new Map(usergroups.flatMap(({ id, handle }) => (id && handle ? [[id, handle]] : [])));
    } catch (error) {
      // The scope is optional, and small plans have no groups.
      if (error instanceof SlackRefusedError) return new Map();
      throw error;
    }
  }

  return {
    /**
     * The user ids of a group's members; none if that team has no such group. `isFresh`: skips the cache. Throws a
     * TransientError or SlackRefusedError.
     */
    async members(place: GroupPlace, group: string, { isFresh } = { isFresh: false }): Promise<string[]> {
      const key = `${toKey(place)}:${group}`;
      // A read that is under way may be outdated.
      if (isFresh) members.delete(key);
      try {
        return await members.forceFetch(key, { context: { place, group } });
      } catch (error) {
        // ADMIN_USERS may name groups of other workspaces.
        if (isSlackError(error, 'no_such_subteam')) return [];
        throw toRepeatable('usergroups.users.list', error);
      }
    },
    /** The handles of all groups by their ids, such as `design`; none if the app may not read them. Throws a TransientError. */
    handles: (place: GroupPlace): Promise<Handles> => handles.forceFetch(toKey(place), { context: place }),
  };
}

function toKey({ workspace, homeTeam = '' }: GroupPlace): string {
  return `${workspace}:${homeTeam}`;
}
