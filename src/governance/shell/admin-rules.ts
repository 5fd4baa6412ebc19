import type { Person } from '../../conversation/question.ts';

/** Who may use the admin commands. `team`: only people of that team or enterprise, or in that workspace. */
export type AdminRule = { team?: string } & (
  | { kind: 'user'; user: string }
  | { kind: 'group'; group: string }
  | { kind: 'workspace_admins' }
);

const TEAM = /^[TE][A-Z0-9]+$/;
const USER = /^[UW][A-Z0-9]+$/;
const GROUP = /^S[A-Z0-9]+$/;

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
    return 'the text before the colon is not the id of a team (T…) or an enterprise (E…)';
  }
  const scope = team === undefined ? {} : { team };
  if (who === 'workspace-admins') return { ...scope, kind: 'workspace_admins' };
  if (USER.test(who)) return { ...scope, kind: 'user', user: who };
  if (GROUP.test(who)) return { ...scope, kind: 'group', group: who };
  return 'neither a user id (U…, W…), nor a user group id (S…), nor workspace-admins';
}

/**
 * `workspace`: the team that installed the app. `homeTeam`: the person's own team, if it is another one, because the app is
 * installed for a whole organisation.
 */
export type Caller = Person & { workspace: string; homeTeam?: string };

/** `isFresh`: asks Slack now instead of using an answer of the last minutes. */
type LookupOptions = { isFresh: boolean };

export type AdminLookups = {
  groupMembers(caller: Caller, group: string, options?: LookupOptions): Promise<string[]>;
  isWorkspaceAdmin(workspace: string, user: string, options?: LookupOptions): Promise<boolean>;
};

/**
 * Asks Slack only if no rule names the person. A failed lookup admits nobody. If no other rule admits the person, its error
 * is thrown, so that they read that the check failed, and not that they are refused. For whatever changes something, use
 * `isFresh`: a right that was removed must end at once.
 */
export async function isAdmin(
  caller: Caller,
  rules: readonly AdminRule[],
  lookups: AdminLookups,
  options: LookupOptions = { isFresh: false },
): Promise<boolean> {
  const fitting = rules.filter(({ team }) => team === undefined || isOf(caller, team));
  if (fitting.some((rule) => rule.kind === 'user' && rule.user === caller.user)) return true;
  const failures: unknown[] = [];
  for (const rule of fitting) {
    try {
      if (await isAdmitted(caller, rule, lookups, options)) return true;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return false;
}

/**
 * The rules that count for what applies to the whole installation. If the app is installed for a whole organisation, a rule
 * for one of its teams is not enough.
 */
export function toRulesForAll(rules: readonly AdminRule[], { team, workspace }: Caller): AdminRule[] {
  return rules.filter((rule) => rule.team === undefined || isOf({ team, workspace }, rule.team));
}

function isOf({ team, workspace, homeTeam }: Omit<Caller, 'user'>, wanted: string): boolean {
  return wanted === team || wanted === workspace || wanted === homeTeam;
}

async function isAdmitted(
  caller: Caller,
  rule: AdminRule,
  lookups: AdminLookups,
  options: LookupOptions,
): Promise<boolean> {
  const { workspace, user } = caller;
  if (rule.kind === 'group') return (await lookups.groupMembers(caller, rule.group, options)).includes(user);
  return rule.kind === 'workspace_admins' && (await lookups.isWorkspaceAdmin(workspace, user, options));
}
