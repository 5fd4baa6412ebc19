/** Which team a call is about: https://docs.slack.dev/enterprise/organization-ready-apps */
import type { Install } from '../installs.ts';
import type { Json } from '../records.ts';
import type { World } from '../world.ts';
import { SlackApiError } from './method.ts';

/** These cannot tell the team from their other arguments, so a token of a whole organisation has to name it. */
const NEEDS_TEAM = new Set(['usergroups.list', 'usergroups.users.list', 'users.list']);

/** A token of one team is about that team; one of an organisation about the team that holds what is named. */
export function findWorld(main: World, install: Install, given: Json): World | undefined {
  const teams = main.teams();
  if (!install.isEnterprise) return teams.find((world) => world.workspace.team.id === install.id);
  const own = teams.filter((world) => world.workspace.team.enterprise?.id === install.id);
  return own.find((world) => isNamed(world, given)) ?? own.find((world) => holds(world, given)) ?? own[0];
}

export function requireTeam(world: World, method: string, given: Json): void {
  if (given.team_id === undefined && NEEDS_TEAM.has(method)) throw new SlackApiError('missing_argument');
  if (given.team_id !== undefined && !isNamed(world, given)) throw new SlackApiError('team_not_found');
}

function isNamed({ workspace }: World, given: Json): boolean {
  return given.team_id === workspace.team.id;
}

/** In one organisation ids are unique. */
function holds({ workspace, views, triggers }: World, given: Json): boolean {
  const channel = String(given.channel ?? given.channel_id ?? '');
  const user = String(given.user ?? given.users ?? given.user_id ?? '');
  return (
    workspace.channels.has(channel) ||
    workspace.users.has(channel) ||
    workspace.users.has(user) ||
    triggers.has(String(given.trigger_id ?? '')) ||
    views.byId(String(given.view_id ?? '')) !== undefined
  );
}
