import type { InventoryRow } from '../inventory/inventory.ts';
import { type ApprovedLimit, type RegisteredAgent, toIdKey } from '../register/register.ts';
import { compareLimit } from './compare-limit.ts';
import type { AgentFinding, UnreadableReason } from './finding.ts';
import { type JudgeOptions, judgeMissing } from './judge-environment.ts';
import { isUnreadable, type LimitReading } from './readings.ts';
import type { EnvironmentScope } from './scopes.ts';
import { findAgentExceptions, findApprovedLimit, findRegisteredAgent, isNamedTwice } from './standards.ts';
import { judge, toVerdict, type Verdict } from './verdict.ts';

/** Whether what is known of the agent's limit plays any part. */
export function isLimitNeeded({ standard }: EnvironmentScope, agent: InventoryRow, options: JudgeOptions): boolean {
  return findApprovedLimit(options.standards, standard, agent) !== undefined;
}

/** Pure. `reading` is undefined where it is not needed. */
export function judgeAgent(
  scope: EnvironmentScope,
  agent: InventoryRow,
  { reading, ...options }: JudgeOptions & { reading: LimitReading | undefined },
): AgentFinding {
  const approvedLimit = findApprovedLimit(options.standards, scope.standard, agent);
  const read = reading === undefined || isUnreadable(reading) ? undefined : reading;
  const registered = findRegisteredAgent(scope.standard, agent);
  return {
    ...toAgentFinding(agent, judgeLimit(scope, agent, { approvedLimit, reading, now: options.now })),
    // As it would be keyed if it were not found.
    key: toIdKey(scope.id, registered?.id ?? agent.name),
    environmentId: scope.id,
    agentResourceId: read?.agent.agentResourceId ?? agent.agentResourceId,
    owners: registered?.owners ?? [],
    approvedLimit,
    limitSource: read?.known.source,
  };
}

/** Of an agent that the register names, and that was not found. */
export function judgeMissingAgent(
  { id: environmentId }: EnvironmentScope,
  { id, name = id, owners, limit }: RegisteredAgent,
  gap: UnreadableReason | undefined,
): AgentFinding {
  return {
    kind: 'agent',
    key: toIdKey(environmentId, id),
    environmentId,
    agentResourceId: id,
    agentName: id,
    name,
    owners,
    ownerId: undefined,
    isHarness: 'unknown',
    approvedLimit: limit,
    limitSource: undefined,
    ...judgeMissing(gap),
  };
}

/** Of an agent that no limit can be set for: limits hang on environments, and the service does not name its. */
export function judgeStrayAgent(agent: InventoryRow): AgentFinding {
  return toAgentFinding(agent, toVerdict('unreadable', 'no_environment'));
}

function toAgentFinding(agent: InventoryRow, verdict: Verdict): AgentFinding {
  const { environmentId = '', agentResourceId, name: agentName, displayName: name, ownerId, isHarness } = agent;
  const key = toIdKey(environmentId, agentName);
  const ids = { key, environmentId, agentResourceId, agentName };
  return {
    kind: 'agent',
    ...ids,
    name,
    owners: [],
    ownerId,
    isHarness,
    approvedLimit: undefined,
    limitSource: undefined,
    ...verdict,
  };
}

type LimitJudging = { approvedLimit: ApprovedLimit | undefined; reading: LimitReading | undefined; now: number };

function judgeLimit(
  { standard }: EnvironmentScope,
  agent: InventoryRow,
  { approvedLimit, reading, now }: LimitJudging,
): Verdict {
  if (approvedLimit === undefined || reading === undefined) return toVerdict('unclassified');
  const otherwise = standard === undefined ? 'unclassified' : 'unreadable';
  if (isUnreadable(reading)) return toVerdict(otherwise, reading.unreadable);
  const compared = compareLimit(approvedLimit, reading.known);
  const { differences } = compared;
  const reason = isNamedTwice(standard, agent) ? 'named_twice' : compared.reason;
  if (standard !== undefined) {
    return judge({ differences, reason, exceptions: findAgentExceptions(standard, agent), now });
  }
  const judged = differences.map((difference) => ({ ...difference, exception: undefined }));
  return { ...toVerdict('unclassified', reason), differences: judged };
}
