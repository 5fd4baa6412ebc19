import type {
  AddedEnvironment,
  Additions,
  AgentLimitRecord,
  ClassificationRecord,
  ExceptionRecord,
  OverlayRecord,
  UnusedRecord,
} from './overlay.ts';
import { completeAllocations } from './read-register.ts';
import {
  type AcceptedDrift,
  type ApprovedException,
  type Register,
  type RegisteredAgent,
  type RegisteredEnvironment,
  toIdKey,
} from './register.ts';

/** The register with the decisions made in Slack added at the ends of its lists. Changes neither argument. */
export function mergeOverlay(
  register: Register,
  records: readonly OverlayRecord[],
): { register: Register; unused: UnusedRecord[] } {
  const { environments: added, agents, exceptions, unused } = findAdditions(register, records);
  const ofEnvironment = ({ environmentId }: OverlayRecord) => toIdKey(environmentId);
  const agentsOf = Map.groupBy(agents, ofEnvironment);
  const exceptionsOf = Map.groupBy(exceptions, ofEnvironment);
  const all = [...register.environments, ...added.map(({ environment }) => environment)];
  const environments = all.map((environment): RegisteredEnvironment => {
    const key = toIdKey(environment.id);
    return {
      ...environment,
      agents: [...environment.agents, ...(agentsOf.get(key) ?? []).map(toRegisteredAgent)],
      exceptions: [...environment.exceptions, ...(exceptionsOf.get(key) ?? []).flatMap(toExceptions)],
    };
  });
  return { register: { ...register, environments }, unused };
}

function toRegisteredAgent({ agentResourceId, name, limit }: AgentLimitRecord): RegisteredAgent {
  return { id: agentResourceId, name, owners: [], limit };
}

/** One for each setting that the record accepts. */
export function toExceptions(record: ExceptionRecord): ApprovedException[] {
  const { agentResourceId, accepts, reason, by, approvedBy = by.user, expiresOn } = record;
  return accepts.map((accepted) => {
    return { agent: agentResourceId, accepts: accepted, reason, approver: approvedBy, expiresOn };
  });
}

/**
 * Of two records about one environment or agent, the later one counts. What the file says always wins: that is how a
 * decision made in Slack is withdrawn.
 */
export function findAdditions(register: Register, records: readonly OverlayRecord[]): Additions {
  const unused: UnusedRecord[] = [];
  const ordered = records.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  const classified = new Set(register.environments.map(({ id }) => toIdKey(id)));
  const classifications = keepLatest(
    ordered.filter((record) => record.kind === 'classification'),
    ({ environmentId }) => [toIdKey(environmentId)],
    { existing: new Set(classified), unused },
  );
  const environments = classifications.flatMap((record) => {
    if (record.isWithdrawn) return [];
    const environment = toEnvironment(record, register);
    if (environment === undefined) unused.push({ id: record.id, reason: 'defaults_incomplete' });
    else classified.add(toIdKey(record.environmentId));
    return environment === undefined ? [] : [{ record, environment } satisfies AddedEnvironment];
  });
  const ofClassified = <Kind extends OverlayRecord>(record: Kind) => {
    const isUsable = classified.has(toIdKey(record.environmentId));
    if (!isUsable) unused.push({ id: record.id, reason: 'environment_unclassified' });
    return isUsable;
  };
  const agents = keepLatest(
    ordered.filter((record) => record.kind === 'agent_limit').filter(ofClassified),
    (record) => listAgentIds(record).map((id) => toIdKey(record.environmentId, id)),
    { existing: listNamedAgents(register), unused },
  );
  const exceptions = keepUnstated(ordered.filter((record) => record.kind === 'exception').filter(ofClassified), {
    register,
    unused,
  });
  return { environments, agents, exceptions, unused };
}

function keepLatest<Kind extends OverlayRecord>(
  records: readonly Kind[],
  toKeys: (record: Kind) => string[],
  { existing, unused }: { existing: ReadonlySet<string>; unused: UnusedRecord[] },
): Kind[] {
  const taken = new Set<string>();
  const replaced = new Set<Kind>();
  for (const record of records.toReversed()) {
    if (toKeys(record).some((key) => taken.has(key))) replaced.add(record);
    for (const key of toKeys(record)) taken.add(key);
  }
  return records.filter((record) => {
    const isInRegister = toKeys(record).some((key) => existing.has(key));
    const isLatest = !replaced.has(record);
    if (isInRegister) unused.push({ id: record.id, reason: 'in_register' });
    else if (!isLatest) unused.push({ id: record.id, reason: 'replaced_by_later' });
    return isLatest && !isInRegister;
  });
}

/** Undefined if the record and the defaults together are incomplete. */
function toEnvironment(
  record: ClassificationRecord,
  { defaults }: Register,
): AddedEnvironment['environment'] | undefined {
  const { environmentId, name, classification, owners } = record;
  const inherited = defaults[classification];
  let isComplete = true;
  const allocations = completeAllocations(record.allocations, inherited?.allocations, {
    classification,
    tell: () => {
      isComplete = false;
    },
  });
  if (!isComplete) return undefined;
  const { unnamedAgents = inherited?.unnamedAgents } = record;
  return { id: environmentId, name, classification, owners, allocations, unnamedAgents, agents: [], exceptions: [] };
}

function listNamedAgents({ environments }: Register): Set<string> {
  return new Set(environments.flatMap(({ id, agents }) => agents.map((agent) => toIdKey(id, agent.id))));
}

/** The file may name an agent by either id. */
function listAgentIds({
  agentResourceId,
  agentName,
}: Pick<ExceptionRecord, 'agentResourceId' | 'agentName'>): string[] {
  return agentResourceId === undefined ? [''] : [...new Set([agentResourceId, agentName ?? agentResourceId])];
}

/** Setting by setting: drops what the file accepts itself, whatever its dates. */
function keepUnstated(
  records: readonly ExceptionRecord[],
  { register, unused }: { register: Register; unused: UnusedRecord[] },
): ExceptionRecord[] {
  const stated = new Set(
    register.environments.flatMap(({ id, exceptions }) =>
      exceptions.map(({ agent = '', accepts }) => toExceptionKey(id, agent, accepts)),
    ),
  );
  return records.flatMap((record) => {
    const ids = listAgentIds(record);
    const accepts = record.accepts.filter(
      (accepted) => !ids.some((agent) => stated.has(toExceptionKey(record.environmentId, agent, accepted))),
    );
    if (accepts.length > 0) return [{ ...record, accepts }];
    unused.push({ id: record.id, reason: 'in_register' });
    return [];
  });
}

function toExceptionKey(
  environmentId: string,
  agent: string,
  { setting, currency = '', value }: AcceptedDrift,
): string {
  return toIdKey(environmentId, agent, setting, currency, String(value));
}
