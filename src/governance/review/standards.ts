// The register as a review asks it: by ids, without regard to case.

import type { Agent, Environment } from '../../admin-api/inventory-wire.ts';
import { type InventoryRow, joinInventory } from '../inventory/inventory.ts';
import {
  type ApprovedException,
  type ApprovedLimit,
  isExpired,
  type Register,
  type RegisteredAgent,
  type RegisteredEnvironment,
  toIdKey,
} from '../register/register.ts';
import {
  type Difference,
  type DifferenceException,
  type EnvironmentFinding,
  type InventoryReading,
  isOpen,
  isUnreadable,
  type UnreadableReason,
} from './finding.ts';

/** What is approved of one environment that the register names. */
export type EnvironmentStandard = {
  entry: RegisteredEnvironment;
  agents: ReadonlyMap<string, PlacedAgent>;
  /** By the agent's id; those of the environment itself under ''. */
  exceptions: ReadonlyMap<string, readonly ApprovedException[]>;
};

export type Standards = {
  register: Register;
  /** By the environment's id, in lower case. */
  environments: ReadonlyMap<string, EnvironmentStandard>;
};

/** `place`: in the list of its environment, where the file's own come first. */
type PlacedAgent = { agent: RegisteredAgent; place: number };

type AgentIds = { agentResourceId: string; name: string };

export function toStandards(register: Register): Standards {
  const environments = register.environments.map((entry): [string, EnvironmentStandard] => {
    const agents = new Map(entry.agents.map((agent, place) => [toIdKey(agent.id), { agent, place }]));
    const exceptions = Map.groupBy(entry.exceptions, ({ agent = '' }) => toIdKey(agent));
    return [toIdKey(entry.id), { entry, agents, exceptions }];
  });
  return { register, environments: new Map(environments) };
}

/** The register may name an agent by either of its two ids; where both are there, what the file says counts. */
export function findRegisteredAgent(
  standard: EnvironmentStandard | undefined,
  ids: AgentIds,
): RegisteredAgent | undefined {
  return listEntries(standard, ids)[0]?.agent;
}

/** Ambiguous: one entry for each of its two ids. */
export function isNamedTwice(standard: EnvironmentStandard | undefined, ids: AgentIds): boolean {
  return listEntries(standard, ids).length > 1;
}

function listEntries(standard: EnvironmentStandard | undefined, { agentResourceId, name }: AgentIds): PlacedAgent[] {
  const keys = new Set([toIdKey(agentResourceId), toIdKey(name)]);
  const entries = [...keys].map((key) => standard?.agents.get(key)).filter((entry) => entry !== undefined);
  return entries.sort((one, other) => one.place - other.place);
}

/** What the agent's limit is compared with; undefined where the register has nothing to say about it. */
export function findApprovedLimit(
  { register }: Standards,
  standard: EnvironmentStandard | undefined,
  agent: AgentIds,
): ApprovedLimit | undefined {
  if (standard === undefined) return register.defaults.unclassified?.unnamedAgents;
  return findRegisteredAgent(standard, agent)?.limit ?? standard.entry.unnamedAgents;
}

export function findAgentExceptions(
  standard: EnvironmentStandard,
  { agentResourceId, name }: AgentIds,
): ApprovedException[] {
  const keys = new Set([toIdKey(agentResourceId), toIdKey(name)]);
  return [...keys].flatMap((key) => standard.exceptions.get(key) ?? []);
}

export type Verdict = Pick<EnvironmentFinding, 'status' | 'differences' | 'reason' | 'expiresOn'>;

/** A difference before the exceptions are looked at. */
export type BareDifference = Omit<Difference, 'exception'>;

type Judged = {
  differences: readonly BareDifference[];
  exceptions: readonly ApprovedException[];
  /** Epoch ms. */
  now: number;
  /** Where something is unknown; certain drift takes precedence. */
  reason?: UnreadableReason | undefined;
};

/** Compliant only where there is nothing else to say. */
export function judge({ differences, exceptions, now, reason }: Judged): Verdict {
  const judged = differences.map((difference) => ({
    ...difference,
    exception: findException(difference, exceptions, now),
  }));
  const open = judged.filter(isOpen);
  const verdict = { differences: judged, reason: undefined, expiresOn: undefined };
  if (open.some(({ found }) => found !== 'unknown')) return { ...verdict, status: 'drift' };
  if (reason !== undefined || open.length > 0) {
    return { ...verdict, status: 'unreadable', reason: reason ?? 'value_not_told' };
  }
  if (judged.length === 0) return { ...verdict, status: 'compliant' };
  const days = judged.flatMap(({ exception }) => (exception === undefined ? [] : [exception.expiresOn]));
  return { ...verdict, status: 'approved_exception', expiresOn: days.toSorted()[0] };
}

export function toVerdict(status: 'vanished' | 'unreadable' | 'unclassified', reason?: UnreadableReason): Verdict {
  return { status, differences: [], reason, expiresOn: undefined };
}

function findException(
  { setting, currency, found }: BareDifference,
  exceptions: readonly ApprovedException[],
  now: number,
): DifferenceException | undefined {
  const fitting = exceptions.filter(
    ({ accepts }) =>
      accepts.setting === setting &&
      toIdKey(accepts.currency ?? '') === toIdKey(currency ?? '') &&
      accepts.value === found,
  );
  const [longest] = fitting.toSorted((one, other) => (one.expiresOn < other.expiresOn ? 1 : -1));
  if (longest === undefined) return undefined;
  const { reason, approver, expiresOn } = longest;
  return { isExpired: isExpired(expiresOn, now), reason, approver, expiresOn };
}

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

export type Scopes = {
  environments: EnvironmentScope[];
  /** Agents of which the service names no environment. */
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

function toRows(agents: readonly Agent[], environment: Environment | undefined): InventoryRow[] {
  return agents.length === 0 ? [] : joinInventory(agents, environment === undefined ? [] : [environment]);
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

/** Of one environment that was found, without its agents. */
export function toScope(
  found: Pick<EnvironmentScope, 'id' | 'name' | 'ownerId'>,
  standards: Standards,
): EnvironmentScope {
  const standard = standards.environments.get(toIdKey(found.id));
  return { ...found, isFound: true, standard, listAgents: () => [], missingAgents: [] };
}
