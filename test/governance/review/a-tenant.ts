// Tenants of reviews: what the service has, what it showed, and policies.
import type { SeenAgent } from '../../../src/governance/plan/seen.ts';
import { applyEdits, type Edit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, type Policy, type Why } from '../../../src/policy/policy.ts';
import type { Limit, RuleType } from '../../../src/policy/values.ts';
import { anAgent, anAllocation, aThreshold } from '../samples.ts';
import { aWorld, NOW, type World } from '../world.ts';

export const STALE_MS = 90 * 24 * 3_600_000;
export const WHY: Why = { by: 'UKIM', reason: 'the first policy', at: NOW - 1_000 };

export const LIMIT = { credits: 500, noticeAt: 80, stopAtLimit: true } satisfies Limit;

/** `env-1`, `env-2`, …, each with agents `env-1-agent-1`, …: all with 1,000 credits and a limit of 500. */
export function aTenant({ environments = 1, agentsEach = 1 } = {}): World {
  const world = aWorld();
  const { service } = world;
  const ids = Array.from({ length: environments }, (_, index) => `env-${index + 1}`);
  service.environments = ids.map((name) => ({ name, displayName: `The ${name}`, ownerId: `owner-of-${name}` }));
  service.agents = ids.flatMap((id) => Array.from({ length: agentsEach }, (_, index) => anAgentOf(id, index + 1)));
  service.thresholds = service.agents.map(({ name }) => aThresholdOf(name));
  service.allocations = new Map(ids.map((id) => [id, anAllocationOf(id)]));
  Object.assign(world.services, { limitStaleMs: STALE_MS });
  return world;
}

function anAgentOf(environmentId: string, number: number) {
  const name = `${environmentId}-agent-${number}`;
  return anAgent({ name, displayName: `Agent ${number}`, environmentId, ownerId: 'owner-1' });
}

export function anAllocationOf(id: string, allocated = 1_000, rules: Partial<Record<RuleType, boolean>> = {}) {
  return anAllocation(id, allocated, { Alert: true, TenantPool: false, PayGo: false, Deny: true, ...rules });
}

export function aThresholdOf(resourceId: string, values: Parameters<typeof aThreshold>[0] = {}) {
  const environmentId = resourceId.replace(/-agent-\d+$/, '');
  return aThreshold({ environmentId, resourceId, limit: 500, stopIfOverCapacity: true, ...values });
}

export function aSeenAgent(environmentId = 'env-1', number = 1): SeenAgent {
  const { name: agentId, displayName: name = '', ownerId, isHarness } = anAgentOf(environmentId, number);
  const environmentName = `The ${environmentId}`;
  return { environmentId, agentId, resourceId: agentId, name, environmentName, ownerId, isHarness };
}

export function toPolicy(edits: readonly Edit[], before: Policy = EMPTY_POLICY, why: Why = WHY): Policy {
  return applyEdits(before, edits, why);
}
