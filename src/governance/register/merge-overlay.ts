import { findAdditions } from './find-additions.ts';
import type { AgentLimitRecord, ExceptionRecord, OverlayRecord, UnusedRecord } from './overlay.ts';
import {
  type ApprovedException,
  type Register,
  type RegisteredAgent,
  type RegisteredEnvironment,
  toIdKey,
} from './register.ts';

/** The register with what was decided in Slack added at the ends of its lists. Neither of the two is changed. */
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
