import type { Person } from '../conversation/person.ts';
import type { AdminRule } from './admin-rules.ts';

/** `workspace`: the installing team through which the person is here. */
export type Caller = Person & { workspace: string };

export type AdminLookups = {
  groupMembers(workspace: string, group: string): Promise<string[]>;
  isWorkspaceAdmin(workspace: string, user: string): Promise<boolean>;
};

/**
 * Asks Slack only where no rule names the person. A lookup that fails admits nobody: where no other rule does,
 * its error is thrown, so that the person hears that it could not be checked rather than a refusal.
 */
export async function isAdmin(caller: Caller, rules: readonly AdminRule[], lookups: AdminLookups): Promise<boolean> {
  const fitting = rules.filter(({ team }) => team === undefined || team === caller.team || team === caller.workspace);
  if (fitting.some((rule) => rule.kind === 'user' && rule.user === caller.user)) return true;
  const failures: unknown[] = [];
  for (const rule of fitting) {
    try {
      if (await isAdmitted(caller, rule, lookups)) return true;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return false;
}

async function isAdmitted({ workspace, user }: Caller, rule: AdminRule, lookups: AdminLookups): Promise<boolean> {
  if (rule.kind === 'group') return (await lookups.groupMembers(workspace, rule.group)).includes(user);
  return rule.kind === 'workspace_admins' && (await lookups.isWorkspaceAdmin(workspace, user));
}
