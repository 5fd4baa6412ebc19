// Compares the limit of one agent with the register.
import type { GovernedAgent, KnownLimit, ToldLimit } from '../inventory/agent-limit.ts';
import type { InventoryRow } from '../inventory/inventory.ts';
import { type ApprovedLimit, type RegisteredAgent, toIdKey } from '../register/register.ts';
import {
  type AgentFinding,
  isUnreadable,
  type LimitReading,
  toGoverned,
  type UnreadableReason,
  type Way,
} from './finding.ts';
import { compareAmounts, type JudgeOptions, judgeMissing } from './judge-environment.ts';
import { type EnvironmentScope, toScope } from './scopes.ts';
import {
  type BareDifference,
  findAgentExceptions,
  findApprovedLimit,
  findRegisteredAgent,
  isNamedTwice,
  judge,
  toVerdict,
  type Verdict,
} from './standards.ts';

/** Whether the register says which limit this agent may have. */
export function isLimitNeeded({ standard }: EnvironmentScope, agent: InventoryRow): boolean {
  return findApprovedLimit(standard, agent) !== undefined;
}

/** Pure. `reading` is undefined where it is not needed. */
export function judgeAgent(
  scope: EnvironmentScope,
  agent: InventoryRow,
  { reading, ...options }: JudgeOptions & { reading: LimitReading | undefined },
): AgentFinding {
  const approvedLimit = findApprovedLimit(scope.standard, agent);
  const read = reading === undefined || isUnreadable(reading) ? undefined : reading;
  const registered = findRegisteredAgent(scope.standard, agent);
  const setAt = read?.known.source === 'last_set' ? read.known.setAt : undefined;
  return {
    ...toAgentFinding(agent, judgeLimit(scope, agent, { approvedLimit, reading, options })),
    // As it would be keyed if it were not found.
    key: toIdKey(scope.id, registered?.id ?? agent.name),
    environmentId: scope.id,
    agentResourceId: read?.agent.agentResourceId ?? agent.agentResourceId,
    owners: registered?.owners ?? [],
    approvedLimit,
    limitSource: read?.known.source,
    ...(setAt !== undefined && { limitSetAt: setAt, limitStaleAt: setAt + options.limitStaleMs }),
  };
}

/** The same finding as it is now. Pure. `agent` has the id that its limit is filed under. */
export function judgeAgentAgain(
  finding: AgentFinding,
  { agent, known }: { agent: GovernedAgent; known: KnownLimit },
  options: JudgeOptions,
): AgentFinding {
  const { environmentId: id, ownerId, isHarness } = finding;
  const scope = toScope({ id, name: agent.environmentName ?? id, ownerId: undefined }, options.standards);
  const row: InventoryRow = { ...toGoverned(finding, agent.environmentName), ownerId, isHarness };
  return judgeAgent(scope, row, { ...options, reading: { agent, known } });
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

type LimitJudging = {
  approvedLimit: ApprovedLimit | undefined;
  reading: LimitReading | undefined;
  options: JudgeOptions;
};

function judgeLimit(
  { standard }: EnvironmentScope,
  agent: InventoryRow,
  { approvedLimit, reading, options }: LimitJudging,
): Verdict {
  if (standard === undefined || approvedLimit === undefined || reading === undefined) return toVerdict('unclassified');
  if (isUnreadable(reading)) return toVerdict('unreadable', reading.unreadable);
  const compared = compareLimit(approvedLimit, reading.known, options);
  const { differences } = compared;
  const reason = isNamedTwice(standard, agent) ? 'named_twice' : compared.reason;
  const exceptions = findAgentExceptions(standard, agent);
  const verdict = judge({ differences, reason, exceptions, now: options.now });
  return verdict.status === 'compliant' && !isTold(reading.known) ? { ...verdict, status: 'as_far_as_told' } : verdict;
}

function isTold(known: KnownLimit): boolean {
  return known.source === 'unknown' ? known.told !== undefined : known.source !== 'last_set';
}

type ComparedLimit = { differences: BareDifference[]; reason?: UnreadableReason };

/**
 * Whether somebody stopped the agent is not compared: the register does not say. What was last set from here shows drift
 * at any time, but that it is as approved, or as an exception accepts, only for a while.
 */
function compareLimit(approved: ApprovedLimit, known: KnownLimit, options: JudgeOptions): ComparedLimit {
  if (known.source === 'unknown') return compareUnknown(approved, known);
  const differences = known.source === 'none' ? compareWithNone(approved) : compareValues(approved, known.limit);
  const isStale = known.source === 'last_set' && options.now - known.setAt > options.limitStaleMs;
  return isStale ? { differences, reason: 'limit_stale' } : { differences };
}

/** A limit that is there, and cannot be read or only in part, is of this agent alone; else no limit is told at all. */
function compareUnknown(
  approved: ApprovedLimit,
  { told, stopped, isListed, inDoubt }: Extract<KnownLimit, { source: 'unknown' }>,
): ComparedLimit {
  if (told !== undefined) return { differences: compareValues(approved, told) };
  if (isListed || stopped !== undefined) return { differences: [], reason: 'value_not_told' };
  if (inDoubt) return { differences: [], reason: 'limit_in_doubt' };
  return approved.monthlyLimit === 'none' ? { differences: [] } : { differences: [], reason: 'limit_not_told' };
}

function compareWithNone(approved: ApprovedLimit): BareDifference[] {
  return approved.monthlyLimit === 'none'
    ? []
    : [toDifference('monthlyLimit', approved.monthlyLimit, 'none', 'looser')];
}

function compareValues(approved: ApprovedLimit, limit: ToldLimit): BareDifference[] {
  if (approved.monthlyLimit === 'none') return [toDifference('monthlyLimit', 'none', limit.limit, 'tighter')];
  const { monthlyLimit, alertAt, stopWhenReached } = approved;
  const foundAlert = toAlert(limit);
  const foundStop = toState(limit.stopWhenReached);
  return [
    toDifference('monthlyLimit', monthlyLimit, limit.limit, compareAmounts(monthlyLimit, limit.limit)),
    toDifference('alertAt', alertAt, foundAlert, compareAlerts(alertAt, foundAlert)),
    toDifference('stopWhenReached', stopWhenReached, foundStop, compareStops(foundStop)),
  ].filter(({ approved: should, found }) => should !== found);
}

function toDifference(
  setting: BareDifference['setting'],
  approved: BareDifference['approved'],
  found: BareDifference['found'],
  way: Way,
): BareDifference {
  return { setting, currency: undefined, approved, found, way };
}

function toAlert({ notify, notificationThreshold }: ToldLimit): number | 'off' | 'unknown' {
  if (notify === 'unknown') return notify;
  return notify ? notificationThreshold : 'off';
}

function toState(flag: boolean | 'unknown'): 'on' | 'off' | 'unknown' {
  if (flag === 'unknown') return flag;
  return flag ? 'on' : 'off';
}

function compareStops(found: 'on' | 'off' | 'unknown'): Way {
  if (found === 'unknown') return 'unclear';
  return found === 'off' ? 'looser' : 'tighter';
}

function compareAlerts(approved: number | 'off', found: number | 'off' | 'unknown'): Way {
  if (found === 'unknown') return 'unclear';
  if (approved === 'off') return 'tighter';
  return found === 'off' ? 'looser' : compareAmounts(approved, found);
}
