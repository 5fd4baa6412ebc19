import type { AddedEnvironment, Additions, ClassificationRecord, OverlayRecord, UnusedRecord } from './overlay.ts';
import { type Register, toIdKey } from './register.ts';
import { completeAllocations } from './stated-allocation.ts';

/** Where two records say different things of one environment or agent, the later one counts; where the file does, it. */
export function findAdditions(register: Register, records: readonly OverlayRecord[]): Additions {
  const unused: UnusedRecord[] = [];
  const ordered = records.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  const classified = new Set(register.environments.map(({ id }) => toIdKey(id)));
  const classifications = keepLatest(
    ordered.filter((record) => record.kind === 'classification'),
    ({ environmentId }) => toIdKey(environmentId),
    { existing: new Set(classified), unused },
  );
  const environments = classifications.flatMap((record) => {
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
    ({ environmentId, agentResourceId }) => toIdKey(environmentId, agentResourceId),
    { existing: listNamedAgents(register), unused },
  );
  const exceptions = ordered.filter((record) => record.kind === 'exception').filter(ofClassified);
  return { environments, agents, exceptions, unused };
}

function keepLatest<Kind extends OverlayRecord>(
  records: readonly Kind[],
  toKey: (record: Kind) => string,
  { existing, unused }: { existing: ReadonlySet<string>; unused: UnusedRecord[] },
): Kind[] {
  const latest = new Map(records.map((record) => [toKey(record), record]));
  return records.filter((record) => {
    const isInRegister = existing.has(toKey(record));
    const isLatest = latest.get(toKey(record)) === record;
    if (isInRegister) unused.push({ id: record.id, reason: 'in_register' });
    else if (!isLatest) unused.push({ id: record.id, reason: 'replaced_by_later' });
    return isLatest && !isInRegister;
  });
}

/** Undefined where neither the record nor the defaults say all that has to be said. */
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
  const unnamedAgents = inherited?.unnamedAgents;
  return { id: environmentId, name, classification, owners, allocations, unnamedAgents, agents: [], exceptions: [] };
}

function listNamedAgents({ environments }: Register): Set<string> {
  return new Set(environments.flatMap(({ id, agents }) => agents.map((agent) => toIdKey(id, agent.id))));
}
