import type { User } from '../records.ts';
import { toSlackUser } from '../slack-message.ts';
import type { World } from '../world.ts';
import { belowThousand, PAGE, paginate } from './conversations.ts';
import { flag, type Method, method, SlackApiError, text } from './method.ts';

export const PEOPLE: Record<string, Method> = {
  'users.info': method(['users:read'], { user: text, include_locale: flag.optional() }, (given, world) => {
    const user = world.workspace.users.get(given.user);
    if (!user) throw new SlackApiError('user_not_found');
    return { user: { ...describeUser(user, world), ...(given.include_locale && { locale: user.locale }) } };
  }),

  'users.list': method(['users:read'], { ...PAGE, include_locale: flag.optional() }, (given, world) => {
    const { users, team } = world.workspace;
    // Without a limit Slack tries to send all of them, and refuses that in large workspaces.
    if (given.limit === undefined && users.size > 1_000) throw new SlackApiError('limit_required');
    // People of other organisations are not in it, though they may be in channels.
    const own = [...users.values()].filter((user) => user.teamId === team.id);
    const { items, response_metadata } = paginate(own, belowThousand(given), 1_000);
    return { members: items.map((user) => describeUser(user, world)), response_metadata };
  }),

  'users.lookupByEmail': method(['users:read.email'], { email: text }, (given, world) => {
    const isMeant = (user: User) => user.email?.toLowerCase() === given.email.toLowerCase() && !user.deleted;
    const user = [...world.workspace.users.values()].find(isMeant);
    if (!user) throw new SlackApiError('users_not_found');
    return { user: describeUser(user, world) };
  }),

  'usergroups.list': method(['usergroups:read'], { include_disabled: flag.optional() }, (_, world) => ({
    usergroups: [...world.workspace.usergroups].map(([id, { handle }]) => ({ id, handle, name: handle })),
  })),

  'usergroups.users.list': method(
    ['usergroups:read'],
    { usergroup: text, include_disabled: flag.optional() },
    (given, world) => {
      const group = world.workspace.usergroups.get(given.usergroup);
      if (!group) throw new SlackApiError('no_such_subteam');
      return { users: [...group.users] };
    },
  ),

  'team.info': method(['team:read'], { team: text.optional(), domain: text.optional() }, (_, world) => {
    const { id, name, domain, enterprise } = world.workspace.team;
    const grid = enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name };
    return { team: { id, name, domain, email_domain: '', ...grid } };
  }),
};

function describeUser(user: User, world: World): Record<string, unknown> {
  const { profile, ...rest } = toSlackUser(user, world.workspace.team) as { profile: Record<string, unknown> };
  if (!world.registration.scopes.has('users:read.email')) delete profile.email;
  return { ...rest, profile };
}
