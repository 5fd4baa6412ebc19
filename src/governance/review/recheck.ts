// What of a reviewed finding is still there, at exactly the value that was found. A report may be a day old.

import type { Allocation } from '../../admin-api/licensing-wire.ts';
import { type AllocationSources, lookUpAllocation } from '../allocations/allocation.ts';
import type { GovernedAgent, KnownLimit } from '../inventory/agent-limit.ts';
import type { InventoryRow } from '../inventory/inventory.ts';
import { type LimitSources, lookUpLimit } from '../limits/known-limit.ts';
import { type AcceptedDrift, toIdKey } from '../register/register.ts';
import type { AgentFinding, Difference, EnvironmentFinding, Finding, UnreadableReason } from './finding.ts';
import { judgeAgent } from './judge-agent.ts';
import { type JudgeOptions, judgeEnvironment } from './judge-environment.ts';
import { type EnvironmentScope, findAgentExceptions, findApprovedLimit, judge, type Standards } from './standards.ts';

export type StillThere =
  /** `finding` has only what is still there; `moved` differs, too, but not as it was found. */
  | { kind: 'open'; finding: Finding; moved: Difference[] }
  /** `moved`: other values are there than were found. */
  | { kind: 'as_approved' | 'decided' | 'moved' }
  | { kind: 'unreadable'; reason: UnreadableReason };

/**
 * Reads it now; what comes back holds that against a register. Throws the errors of admin-errors.ts, and
 * StoreUnavailableError.
 */
export async function readAgain(
  finding: Finding,
  environmentName: string | undefined,
  sources: AllocationSources & LimitSources,
): Promise<(options: JudgeOptions) => Finding> {
  if (finding.kind === 'environment') {
    const { allocation } = await lookUpAllocation(finding.environmentId, sources);
    return (options) => judgeEnvironmentAgain(finding, allocation, options);
  }
  const { limitSource } = finding;
  const wasTold = limitSource === 'deployment' || limitSource === 'none';
  // Where the service had told it, what was set from here is no look at it.
  const planned = wasTold ? ({ source: 'none', readAt: sources.now() } as const) : undefined;
  const looked = await lookUpLimit(toGoverned(finding, environmentName), sources, { planned });
  return (options) => judgeAgentAgain(finding, looked, options);
}

/** Pure. `current`: the same as it is now, with the exceptions of now. */
export function findStillThere(reviewed: Finding, current: Finding): StillThere {
  switch (current.status) {
    case 'drift':
      break;
    case 'compliant':
      return { kind: 'as_approved' };
    case 'unreadable':
      return { kind: 'unreadable', reason: current.reason ?? 'unexpected' };
    default:
      return { kind: 'decided' };
  }
  const wasFound = (one: Difference) =>
    reviewed.differences.some((other) => isSame(one, { ...other, value: other.found }));
  const differences = current.differences.filter(wasFound);
  const isOpen = ({ exception, found }: Difference) =>
    found !== 'unknown' && (exception === undefined || exception.isExpired);
  if (!differences.some(isOpen)) return { kind: 'moved' };
  const moved = current.differences.filter((one) => !differences.includes(one));
  return { kind: 'open', finding: { ...current, differences }, moved };
}

/** Whether all of this is there, accepted by now or not. */
export function areAllThere(accepts: readonly AcceptedDrift[], { differences }: Finding): boolean {
  return accepts.every((one) => differences.some((difference) => isSame(difference, one)));
}

function isSame(
  { setting, currency, found }: Difference,
  other: Omit<AcceptedDrift, 'value'> & { value: Difference['found'] },
): boolean {
  return (
    setting === other.setting && toIdKey(currency ?? '') === toIdKey(other.currency ?? '') && found === other.value
  );
}

// A finding as it is now: what was just read, held against the register as it is now. A report is soon out of date.
/** Pure. */
export function judgeEnvironmentAgain(
  finding: EnvironmentFinding,
  allocation: Allocation | 'none',
  options: JudgeOptions,
): EnvironmentFinding {
  const { environmentId: id, name, ownerId } = finding;
  return judgeEnvironment(toScope({ id, name, ownerId }, options), { reading: allocation, gap: undefined }, options);
}

/** Pure. `agent` has the id that its limit is filed under. */
export function judgeAgentAgain(
  finding: AgentFinding,
  { agent, known }: { agent: GovernedAgent; known: KnownLimit },
  options: JudgeOptions,
): AgentFinding {
  const { environmentId: id, ownerId, isHarness } = finding;
  const scope = toScope({ id, name: agent.environmentName ?? id, ownerId: undefined }, options);
  const row: InventoryRow = { ...toGoverned(finding, agent.environmentName), ownerId, isHarness };
  return judgeAgent(scope, row, { ...options, reading: { agent, known } });
}

export function toGoverned(finding: AgentFinding, environmentName: string | undefined): GovernedAgent {
  const { environmentId, agentResourceId, agentName, name } = finding;
  return { environmentId, agentResourceId, name: agentName, displayName: name, environmentName };
}

function toScope(
  found: Pick<EnvironmentScope, 'id' | 'name' | 'ownerId'>,
  { standards }: JudgeOptions,
): EnvironmentScope {
  const standard = standards.environments.get(toIdKey(found.id));
  return { ...found, isFound: true, standard, listAgents: () => [], missingAgents: [] };
}

// Whether what a report shows can still be decided: others decide, too.
/** The later of two who decide about the same thing. */
export const DECIDED_MEANWHILE =
  'Somebody else has decided about this meanwhile, so nothing more was recorded. Look at the review again.';

/** The finding with the exceptions of now; the values are those that were reviewed. */
export function withExceptionsOfNow<Some extends Finding>(finding: Some, standards: Standards, now: number): Some {
  const standard = standards.environments.get(toIdKey(finding.environmentId));
  if (standard === undefined || finding.status !== 'drift') return finding;
  const exceptions =
    finding.kind === 'environment'
      ? (standard.exceptions.get('') ?? [])
      : findAgentExceptions(standard, { agentResourceId: finding.agentResourceId, name: finding.agentName });
  const differences = finding.differences.map(({ exception: _, ...bare }) => bare);
  return { ...finding, ...judge({ differences, exceptions, now, reason: finding.reason }) };
}

/** Why no limit can be approved for this agent now; undefined where one can. */
export function findLimitProblem(
  { environmentId, agentResourceId, agentName }: AgentFinding,
  standards: Standards,
): string | undefined {
  const standard = standards.environments.get(toIdKey(environmentId));
  if (standard === undefined) {
    return 'Nobody has said yet what the environment of this agent is. Classify the environment first: only then does a limit of its agents count.';
  }
  const approved = findApprovedLimit(standards, standard, { agentResourceId, name: agentName });
  return (
    approved &&
    'The register, or somebody in Slack, says by now which limit this agent is to have. Look at the review again.'
  );
}
