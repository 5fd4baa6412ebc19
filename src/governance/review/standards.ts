// The register as a review asks it: by ids, without regard to case.
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
  isOpen,
  type UnreadableReason,
} from './finding.ts';

/** `place`: in the list of its environment, where the file's own come first. */
type PlacedAgent = { agent: RegisteredAgent; place: number };

type AgentIds = { agentResourceId: string; name: string };

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

export function toStandards(register: Register): Standards {
  const environments = register.environments.map((entry): [string, EnvironmentStandard] => {
    const agents = new Map(entry.agents.map((agent, place) => [toIdKey(agent.id), { agent, place }]));
    const exceptions = Map.groupBy(entry.exceptions, ({ agent = '' }) => toIdKey(agent));
    return [toIdKey(entry.id), { entry, agents, exceptions }];
  });
  return { register, environments: new Map(environments) };
}

/** What the agent's limit is compared with; undefined where the register has nothing to say about it. */
export function findApprovedLimit(
  standard: EnvironmentStandard | undefined,
  agent: AgentIds,
): ApprovedLimit | undefined {
  if (standard === undefined) return undefined;
  return findRegisteredAgent(standard, agent)?.limit ?? standard.entry.unnamedAgents;
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
  /** If something is unknown; certain drift takes precedence. */
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
