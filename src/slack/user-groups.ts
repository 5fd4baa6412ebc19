import { LRUCache } from 'lru-cache';
import { OutcomeUnknownError } from '../http/http-errors.ts';
import type { FindInstallation } from './installation.ts';
import type { CallSlack } from './web/methods.ts';
import { isSlackError, SlackUnavailableError } from './web/slack-errors.ts';

type Place = { workspace: string; homeTeam?: string };

/**
 * The ids of a user group's members; none where that team has no such group. `homeTeam`: the team to look in, where the
 * app is installed for a whole organisation. Throws a TransientError or SlackRefusedError: then nobody is known to be
 * one. `isFresh`: Slack is asked, whatever is remembered.
 */
export type ReadGroupMembers = (place: Place, group: string, options?: { isFresh: boolean }) => Promise<string[]>;

/** Somebody who left the group may still look for this long; what changes something asks freshly. */
const TTL_MS = 5 * 60_000;

const MAX_GROUPS = 1_000;

export function createGroupReader(call: CallSlack, findInstallation: FindInstallation): ReadGroupMembers {
  const members = new LRUCache<string, string[], { place: Place; group: string }>({
    max: MAX_GROUPS,
    ttl: TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _known, { context: { place, group } }) => read(place, group),
  });

  async function read({ workspace, homeTeam }: Place, group: string): Promise<string[]> {
    const { botToken } = await findInstallation(workspace);
    const args = { usergroup: group, ...(homeTeam && { team_id: homeTeam }) };
    const { users = [] } = await call('usergroups.users.list', botToken, args);
    return users;
  }

  return async (place, group, { isFresh } = { isFresh: false }) => {
    const key = `${place.workspace}:${place.homeTeam ?? ''}:${group}`;
    // What is just being read may be of before.
    if (isFresh) members.delete(key);
    try {
      return await members.forceFetch(key, { context: { place, group } });
    } catch (error) {
      // ADMIN_USERS may name groups of other workspaces.
      if (isSlackError(error, 'no_such_subteam')) return [];
      if (!(error instanceof OutcomeUnknownError)) throw error;
      throw new SlackUnavailableError('usergroups.users.list', { cause: error });
    }
  };
}
