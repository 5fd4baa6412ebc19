// A finding as it is now: what was just read, held against the register as it is now. A report is soon out of date.
import type { Allocation } from '../../admin-api/licensing-wire.ts';
import type { GovernedAgent, KnownLimit } from '../inventory/agent-limit.ts';
import type { InventoryRow } from '../inventory/inventory.ts';
import { toIdKey } from '../register/register.ts';
import type { AgentFinding, EnvironmentFinding } from './finding.ts';
import { judgeAgent } from './judge-agent.ts';
import { type JudgeOptions, judgeEnvironment } from './judge-environment.ts';
import type { EnvironmentScope } from './scopes.ts';

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
