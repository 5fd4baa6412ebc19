// The register as a review asks it: by ids, without regard to case.
import {
  type ApprovedException,
  type ApprovedLimit,
  type Register,
  type RegisteredAgent,
  type RegisteredEnvironment,
  toIdKey,
} from '../register/register.ts';

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

/** Two entries, one by each id, of which nobody can say which is meant. */
export function isNamedTwice(standard: EnvironmentStandard | undefined, ids: AgentIds): boolean {
  return listEntries(standard, ids).length > 1;
}

function listEntries(standard: EnvironmentStandard | undefined, { agentResourceId, name }: AgentIds): PlacedAgent[] {
  const keys = new Set([toIdKey(agentResourceId), toIdKey(name)]);
  const entries = [...keys].map((key) => standard?.agents.get(key)).filter((entry) => entry !== undefined);
  return entries.sort((one, other) => one.place - other.place);
}

/** What the agent's limit is held against; undefined where the register has nothing to say about it. */
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
