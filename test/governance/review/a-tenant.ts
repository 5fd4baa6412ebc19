// A tenant in memory for reviews: what it has can be changed by a test, and each read is counted.
import type { AdminSession } from '../../../src/admin-api/admin-session.ts';
import type { Agent, Environment } from '../../../src/admin-api/inventory-wire.ts';
import type { Allocation, Threshold } from '../../../src/admin-api/licensing-wire.ts';
import type { SeenAgent } from '../../../src/governance/plan/seen.ts';
import { applyEdits, type Edit } from '../../../src/policy/edit.ts';
import { EMPTY_POLICY, type Policy, type Why } from '../../../src/policy/policy.ts';
import { type Limit, RULE_TYPES, type RuleType } from '../../../src/policy/values.ts';

export const NOW = Date.parse('2026-11-24T09:00:00Z');
export const CURRENCY = 'ServiceMessages';
export const STALE_MS = 90 * 24 * 3_600_000;
export const WHY: Why = { by: 'UKIM', reason: 'the first policy', at: NOW - 1_000 };

export const LIMIT = { credits: 500, noticeAt: 80, stopAtLimit: true } satisfies Limit;

type Rules = Partial<Record<RuleType, boolean>>;

export type Tenant = {
  environments: Environment[];
  agents: Agent[];
  isTruncated: boolean;
  /** By environment id; an error is thrown by the read. */
  allocations: Map<string, Allocation | 'none' | Error>;
  /** By agent id; 'not_offered': the service shows none. */
  thresholds: Map<string, Threshold> | 'not_offered' | Error;
  reads: { inventory: number; allocations: number; thresholds: number; entitlements: number };
  session: AdminSession;
};

/** `env-1`, `env-2`, …, each with agents `env-1-agent-1`, …: all with 1,000 credits and a limit of 500. */
export function createTenant({ environments = 1, agentsEach = 1 } = {}): Tenant {
  const ids = Array.from({ length: environments }, (_, index) => `env-${index + 1}`);
  const agents = ids.flatMap((id) => Array.from({ length: agentsEach }, (_, index) => anAgent(id, index + 1)));
  const reads = { inventory: 0, allocations: 0, thresholds: 0, entitlements: 0 };
  const tenant: Omit<Tenant, 'session'> = {
    environments: ids.map((name) => ({ name, displayName: `The ${name}`, ownerId: `owner-of-${name}` })),
    agents,
    isTruncated: false,
    allocations: new Map(ids.map((id) => [id, anAllocation(id)])),
    thresholds: new Map(agents.map(({ name }) => [name, aThreshold(name)])),
    reads,
  };
  const session = {
    async findEnvironments() {
      reads.inventory += 1;
      return { rows: tenant.environments, truncated: tenant.isTruncated };
    },
    async findAgents() {
      reads.inventory += 1;
      return { rows: tenant.agents, truncated: tenant.isTruncated };
    },
    async readAllocation(id: string) {
      reads.allocations += 1;
      const found = tenant.allocations.get(id) ?? 'none';
      if (found instanceof Error) throw found;
      return structuredClone(found);
    },
    async readThresholds() {
      reads.thresholds += 1;
      if (tenant.thresholds instanceof Error) throw tenant.thresholds;
      return tenant.thresholds === 'not_offered' ? 'not_offered' : [...tenant.thresholds.values()];
    },
    async readEntitlements() {
      reads.entitlements += 1;
      return [];
    },
  };
  return Object.assign(tenant, { session: session as unknown as AdminSession });
}

function anAgent(environmentId: string, number: number): Agent {
  const name = `${environmentId}-agent-${number}`;
  const isHarness = false;
  return { name, agentResourceId: name, displayName: `Agent ${number}`, environmentId, ownerId: 'owner-1', isHarness };
}

export function anAllocation(environmentId: string, allocated = 1_000, rules: Rules = {}): Allocation {
  const states = { Alert: true, TenantPool: false, PayGo: false, Deny: true, ...rules };
  return {
    environmentId,
    currencyAllocations: [
      {
        ...{ currencyType: CURRENCY, allocated, autoAllocated: undefined, others: {} },
        enforcementRules: RULE_TYPES.map((ruleType) => ({ ruleType, enabled: states[ruleType], others: {} })),
      },
    ],
  };
}

export function aThreshold(resourceId: string, values: Partial<Threshold> = {}): Threshold {
  return {
    environmentId: resourceId.replace(/-agent-\d+$/, ''),
    ...{ resourceId, limit: 500, notifyIfOverCapacity: true, notificationThreshold: 80, stopIfOverCapacity: true },
    ...{ stopResource: false, consumption: 10, ...values },
  };
}

export function aSeenAgent(environmentId = 'env-1', number = 1): SeenAgent {
  const {
    name: agentId,
    agentResourceId: resourceId,
    displayName: name = '',
    ownerId,
    isHarness,
  } = anAgent(environmentId, number);
  return { environmentId, agentId, resourceId, name, environmentName: `The ${environmentId}`, ownerId, isHarness };
}

export function toPolicy(edits: readonly Edit[], before: Policy = EMPTY_POLICY, why: Why = WHY): Policy {
  return applyEdits(before, edits, why);
}
