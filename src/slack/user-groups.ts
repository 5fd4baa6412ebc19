import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { FindInstallation } from './installation.ts';
import { SlackRefusedError, SlackUnavailableError } from './slack-errors.ts';
import { readSlackError } from './web-client-error.ts';

/**
 * The ids of a user group's members; none where that team has no such group. `homeTeam`: the team to look in, where the
 * app is installed for a whole organisation. Throws SlackUnavailableError or SlackRefusedError: then nobody is known to
 * be one. `isFresh`: Slack is asked, whatever is remembered.
 */
export type ReadGroupMembers = (
  place: { workspace: string; homeTeam?: string },
  group: string,
  options?: { isFresh: boolean },
) => Promise<string[]>;

/** Somebody who left the group may still look for this long; what changes something asks freshly. */
const TTL_MS = 5 * 60_000;

const MAX_GROUPS = 1_000;

export function createGroupReader(client: WebClient, findInstallation: FindInstallation): ReadGroupMembers {
  const members = new LRUCache<string, string[]>({ max: MAX_GROUPS, ttl: TTL_MS });

  return async ({ workspace, homeTeam }, group, { isFresh } = { isFresh: false }) => {
    const key = `${workspace}:${homeTeam ?? ''}:${group}`;
    const known = isFresh ? undefined : members.get(key);
    if (known) return known;
    const { botToken } = await findInstallation(workspace);
    try {
      const { users = [] } = await client.usergroups.users.list({
        token: botToken,
        usergroup: group,
        ...(homeTeam && { team_id: homeTeam }),
      });
      members.set(key, users);
      return users;
    } catch (error) {
      const slackError = readSlackError(error);
      // ADMIN_USERS may name groups of other workspaces.
      if (slackError === 'no_such_subteam') {
        members.delete(key);
        return [];
      }
      throw slackError === undefined
        ? new SlackUnavailableError('usergroups.users.list', { cause: error })
        : new SlackRefusedError('usergroups.users.list', slackError);
    }
  };
}
