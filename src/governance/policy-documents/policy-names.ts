// How people call what the policy is about, as it was when everything was last read.
import { type InventoryRow, matchAgents, matchEnvironments, type NamedEnvironment } from '../inventory/inventory.ts';
import { isSameId, type Target } from '../policy/target.ts';
import type { GovernanceServices } from '../services.ts';
import type { NamePart } from './write-document.ts';

export type PolicyNames = {
  /** Untrusted. Undefined: not known. */
  toName: NamePart;
  agents: readonly InventoryRow[];
  environments: readonly NamedEnvironment[];
};

/** Never rejects: the policy is of use without names. */
export async function readNames({ known, log }: Pick<GovernanceServices, 'known' | 'log'>): Promise<PolicyNames> {
  const read = await known.read().catch((error: unknown) => {
    log.warn({ err: error }, 'inventory not known');
    return undefined;
  });
  const { rows: agents = [], environments = [] } = read ?? {};
  const ofAgents = new Map(agents.map((row) => [`${row.environmentId} ${row.name}`.toLowerCase(), row.displayName]));
  const ofEnvironments = new Map(environments.map((one) => [one.environmentId.toLowerCase(), one.name]));
  return {
    agents,
    environments,
    toName(part, target) {
      if (!('environmentId' in target)) return undefined;
      const { environmentId } = target;
      if (part === 'environment') return ofEnvironments.get(environmentId.toLowerCase());
      return 'agentId' in target ? ofAgents.get(`${environmentId} ${target.agentId}`.toLowerCase()) : undefined;
    },
  };
}

/** What somebody typed: environments by `env:` or by their whole name, then agents, then parts of names of environments. */
export function findTargets(typed: string, { agents, environments }: PolicyNames): Target[] {
  const [, named] = /^env:\s*(.+)$/i.exec(typed.trim()) ?? [];
  const text = named ?? typed;
  const fitting = matchEnvironments(environments, text);
  const whole = fitting.filter(({ environmentId, name }) =>
    [environmentId, name].some((one) => isSameId(one, text.trim())),
  );
  const toTargets = (some: readonly NamedEnvironment[]) => some.map(({ environmentId }) => ({ environmentId }));
  if (named !== undefined) return toTargets(fitting);
  if (whole.length > 0) return toTargets(whole);
  const matched = matchAgents(agents, text).flatMap(({ environmentId, name: agentId }) =>
    environmentId === undefined ? [] : [{ environmentId, agentId }],
  );
  return matched.length > 0 ? matched : toTargets(fitting);
}
