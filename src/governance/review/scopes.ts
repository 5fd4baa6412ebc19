// What a review goes through: each environment of the inventory and the register, with its agents.
import type { Agent, Environment } from '../../admin-api/inventory-wire.ts';
import { type InventoryRow, joinInventory } from '../inventory/inventory.ts';
import { type RegisteredAgent, toIdKey } from '../register/register.ts';
import { type InventoryReading, isUnreadable } from './finding.ts';
import type { EnvironmentStandard, Standards } from './standards.ts';
import { findRegisteredAgent } from './standards.ts';

/** An environment that the inventory or the register names, with its agents. */
export type EnvironmentScope = {
  id: string;
  /** For people: from the inventory, else from the register, else the id. */
  name: string;
  ownerId: string | undefined;
  /** False: only the register names it. */
  isFound: boolean;
  /** Undefined: the register does not name it. */
  standard: EnvironmentStandard | undefined;
  /** Sorted as in any list of agents, when it is asked for: those of a whole tenant at once would hold up all else. */
  listAgents(): InventoryRow[];
  /** Named in the register, and not found. */
  missingAgents: RegisteredAgent[];
};

type Scopes = {
  environments: EnvironmentScope[];
  /** Agents for which the service names no environment. */
  strayAgents: InventoryRow[];
  /** Agents that the register leaves out of reviews. */
  notReviewed: number;
};

/** The same inventory and register give the same scopes in the same order: by name, then by id. */
export function listScopes(inventory: InventoryReading, standards: Standards): Scopes {
  const environments = isUnreadable(inventory.environments) ? [] : inventory.environments.rows;
  const agents = isUnreadable(inventory.agents) ? [] : inventory.agents.rows;
  const reviewed = agents.filter((agent) => isReviewed(agent, standards));
  const agentsOf = Map.groupBy(reviewed, ({ environmentId }) => toIdKey(environmentId ?? ''));
  const scopes = listIds(environments, reviewed, standards).map(([key, found]): EnvironmentScope => {
    const standard = standards.environments.get(key);
    const own = agentsOf.get(key) ?? [];
    return {
      id: found?.name ?? standard?.entry.id ?? key,
      name: found?.displayName ?? standard?.entry.name ?? found?.name ?? standard?.entry.id ?? key,
      ownerId: found?.ownerId,
      isFound: found !== undefined,
      standard,
      listAgents: () => toRows(own, found),
      missingAgents: listMissing(standard, own),
    };
  });
  const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  scopes.sort((one, other) => compare(one.name, other.name) || (one.id < other.id ? -1 : 1));
  return {
    environments: scopes,
    strayAgents: toRows(agentsOf.get('') ?? [], undefined),
    notReviewed: agents.length - reviewed.length,
  };
}

/** Of one environment that was found, without its agents. */
export function toScope(
  found: Pick<EnvironmentScope, 'id' | 'name' | 'ownerId'>,
  standards: Standards,
): EnvironmentScope {
  const standard = standards.environments.get(toIdKey(found.id));
  return { ...found, isFound: true, standard, listAgents: () => [], missingAgents: [] };
}

// What is not known to be without a harness is looked at: unknown is not the same as no.
function isReviewed(agent: Agent, { register, environments }: Standards): boolean {
  if (register.reviewedAgents === 'all' || agent.isHarness !== false) return true;
  return findRegisteredAgent(environments.get(toIdKey(agent.environmentId ?? '')), agent) !== undefined;
}

// An environment that only its agents tell of exists as well: inventories lag behind.
function listIds(
  environments: readonly Environment[],
  agents: readonly Agent[],
  standards: Standards,
): [string, Environment | undefined][] {
  const found = new Map<string, Environment | undefined>();
  for (const key of standards.environments.keys()) found.set(key, undefined);
  for (const { environmentId: name } of agents) {
    if (name === undefined) continue;
    const told = found.get(toIdKey(name))?.name;
    // In whatever order they come, it is spelt the same.
    if (told === undefined || name < told)
      found.set(toIdKey(name), { name, displayName: undefined, ownerId: undefined });
  }
  for (const environment of environments) found.set(toIdKey(environment.name), environment);
  return [...found];
}

function listMissing(standard: EnvironmentStandard | undefined, agents: readonly Agent[]): RegisteredAgent[] {
  if (standard === undefined) return [];
  const found = new Set(agents.flatMap(({ agentResourceId, name }) => [toIdKey(agentResourceId), toIdKey(name)]));
  return standard.entry.agents.filter(({ id }) => !found.has(toIdKey(id)));
}

function toRows(agents: readonly Agent[], environment: Environment | undefined): InventoryRow[] {
  return agents.length === 0 ? [] : joinInventory(agents, environment === undefined ? [] : [environment]);
}
