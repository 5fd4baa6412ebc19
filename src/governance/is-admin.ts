import type { Person } from '../conversation/person.ts';
import type { AdminRule } from './shell/admin-rules.ts';

/**
 * `workspace`: the installation through which the person is here. `homeTeam`: the team they are in, where that is not
 * the same, because the app is installed for a whole organisation.
 */
export type Caller = Person & { workspace: string; homeTeam?: string };

/** `isFresh`: as it is at this moment, and not as it was remembered a few minutes ago. */
type LookupOptions = { isFresh: boolean };

export type AdminLookups = {
  groupMembers(caller: Caller, group: string, options?: LookupOptions): Promise<string[]>;
  isWorkspaceAdmin(workspace: string, user: string, options?: LookupOptions): Promise<boolean>;
};

/**
 * Asks Slack only where no rule names the person. A lookup that fails admits nobody: where no other rule does,
 * its error is thrown, so that the person hears that it could not be checked rather than a refusal. What changes something
 * asks with `isFresh`: a right that was taken away must not outlive that by minutes.
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

function isOf({ team, workspace, homeTeam }: Caller, wanted: string): boolean {
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
