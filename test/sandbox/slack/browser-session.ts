/** Who a browser is signed in to this Slack as. */
import type { User } from './records.ts';
import type { World } from './world.ts';

export const SESSION_COOKIE = 'sandbox_slack_user';

/** A person of one of the teams. */
export type SignedIn = { world: World; user: User };

/** Teams may have people with the same ids, so the cookie names the team; without one it is the first team. */
export function toSessionValue({ world, user }: SignedIn): string {
  return `${world.workspace.team.id}.${user.id}`;
}

export function readSession(main: World, cookies: string | undefined): SignedIn | undefined {
  const value = cookies
    ?.split(/;\s*/)
    .find((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    ?.slice(SESSION_COOKIE.length + 1);
  if (value === undefined) return undefined;
  const [userId = '', teamId] = value.split('.').reverse();
  return findPerson(main, teamId, userId);
}

export function findPerson(main: World, teamId: string | undefined, userId: string): SignedIn | undefined {
  const world = teamId === undefined ? main : main.teams().find((one) => one.workspace.team.id === teamId);
  const user = world?.workspace.users.get(userId);
  return world && user && { world, user };
}
