/** Who may use the admin commands. `team`: only people of that team or enterprise, or in that workspace. */
export type AdminRule = { team?: string } & (
  | { kind: 'user'; user: string }
  | { kind: 'group'; group: string }
  | { kind: 'workspace_admins' }
);

const TEAM = /^[TE][A-Z0-9]{2,}$/;
const USER = /^[UW][A-Z0-9]{2,}$/;
const GROUP = /^S[A-Z0-9]{2,}$/;

/**
 * Reads ADMIN_USERS: user ids, user groups or `workspace-admins`, separated by commas, each optionally as `team:…`.
 * `problems` has one sentence for each entry that cannot be read, without the entry itself.
 */
export function parseAdminRules(text: string): { rules: AdminRule[]; problems: string[] } {
  const rules: AdminRule[] = [];
  const problems: string[] = [];
  for (const [index, entry] of text.split(',').entries()) {
    if (entry.trim() === '') continue;
    const rule = parseRule(entry.trim());
    if (typeof rule === 'string') problems.push(`entry ${index + 1}: ${rule}`);
    else rules.push(rule);
  }
  return { rules, problems };
}

function parseRule(entry: string): AdminRule | string {
  const parts = entry.split(':');
  const who = parts.at(-1) ?? '';
  const team = parts.length === 2 ? parts[0] : undefined;
  if (parts.length > 2 || (team !== undefined && !TEAM.test(team))) {
    return 'before the colon belongs the id of a team (T…) or an enterprise (E…)';
  }
  const scope = team === undefined ? {} : { team };
  if (who === 'workspace-admins') return { ...scope, kind: 'workspace_admins' };
  if (USER.test(who)) return { ...scope, kind: 'user', user: who };
  if (GROUP.test(who)) return { ...scope, kind: 'group', group: who };
  return 'neither a user id (U…, W…), nor a user group id (S…), nor workspace-admins';
}
