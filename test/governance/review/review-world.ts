// A small tenant for reviews: what it has can be changed by a test before it is read, and how it is read.

import type { Agent, Environment } from '../../../src/admin-api/inventory-wire.ts';
import type { Allocation, CurrencyAllocation } from '../../../src/admin-api/licensing-wire.ts';
import { RULE_TYPES, type RuleType } from '../../../src/governance/allocations/allocation.ts';
import type { AgentLimit, KnownLimit } from '../../../src/governance/inventory/agent-limit.ts';
import type { Register, RegisteredEnvironment } from '../../../src/governance/register/register.ts';
import type { Difference } from '../../../src/governance/review/finding.ts';
import type { EnvironmentReview, Review } from '../../../src/governance/review/review-summary.ts';
import { type ReviewOptions, type ReviewPorts, runReview } from '../../../src/governance/review/run-review.ts';
import { anAgentLimit } from '../shell/samples.ts';

export const NOW = Date.parse('2026-03-04T13:05:00Z');
export const CURRENCY = 'ServiceMessages';

/** For how long a limit counts that was set from here. */
export const STALE_MS = 90 * 24 * 60 * 60 * 1000;

export function anAgent(values: Partial<Agent> = {}): Agent {
  const { name = 'agent-1' } = values;
  return {
    name,
    agentResourceId: `bot-of-${name}`,
    displayName: `The ${name}`,
    environmentId: 'env-1',
    ownerId: 'owner-1',
    isHarness: 'unknown',
    ...values,
  };
}

export function anEnvironment(values: Partial<Environment> = {}): Environment {
  return { name: 'env-1', displayName: undefined, ownerId: 'owner-1', ...values };
}

type Rules = { [rule in RuleType]?: boolean | 'unknown' | 'absent' };

/** All rules off but Alert and Deny, and nothing allocated, where the test does not say. */
export function aCurrency(values: Partial<CurrencyAllocation> & { rules?: Rules } = {}): CurrencyAllocation {
  const { rules, ...others } = values;
  const states = { Alert: true, TenantPool: false, PayGo: false, Deny: true, ...rules };
  return {
    currencyType: CURRENCY,
    allocated: 0,
    autoAllocated: 0,
    enforcementRules: RULE_TYPES.flatMap((ruleType) => {
      const enabled = states[ruleType];
      return enabled === 'absent' ? [] : [{ ruleType, enabled, others: {} }];
    }),
    others: {},
    ...others,
  };
}

export function anAllocation(...currencyAllocations: CurrencyAllocation[]): Allocation {
  return { environmentId: 'env-1', currencyAllocations, others: {} };
}

export function aDeployed(values: Partial<AgentLimit> = {}): KnownLimit {
  return { source: 'deployment', limit: anAgentLimit({ limit: 500, stopWhenReached: true, ...values }), readAt: NOW };
}

/** Held to what aCurrency and aDeployed give, where the test does not say. */
export function aRegisteredEnvironment(values: Partial<RegisteredEnvironment> = {}): RegisteredEnvironment {
  return {
    id: 'env-1',
    name: undefined,
    classification: 'maker-development',
    owners: ['U7'],
    allocations: [
      { currencyType: CURRENCY, allocated: 0, rules: { Alert: 'on', TenantPool: 'off', PayGo: 'off', Deny: 'on' } },
    ],
    unnamedAgents: { monthlyLimit: 500, alertAt: 80, stopWhenReached: 'on' },
    agents: [],
    exceptions: [],
    ...values,
  };
}

export function aRegister(values: Partial<Register> = {}): Register {
  return {
    reviewedAgents: 'all',
    otherCurrencies: 'report',
    defaults: {},
    environments: [aRegisteredEnvironment()],
    ...values,
  };
}

export type World = {
  register: Register;
  environments: Environment[];
  agents: Agent[];
  truncated: { environments: boolean; agents: boolean };
  /** By environment id; an environment that is not in it has what aCurrency gives. */
  allocations: Map<string, Allocation | 'none' | Error>;
  /** By agent name; an agent that is not in it has what aDeployed gives. */
  limits: Map<string, KnownLimit | Error>;
};

/** One environment with one agent, all of it compliant. */
export function aWorld(values: Partial<World> = {}): World {
  return {
    register: aRegister(),
    environments: [anEnvironment()],
    agents: [anAgent()],
    truncated: { environments: false, agents: false },
    allocations: new Map(),
    limits: new Map(),
    ...values,
  };
}

export function toPorts(world: World): ReviewPorts {
  return {
    findEnvironments: async () => ({ rows: world.environments, truncated: world.truncated.environments }),
    findAgents: async () => ({ rows: world.agents, truncated: world.truncated.agents }),
    readAllocation: async (environmentId) => {
      const allocation = world.allocations.get(environmentId) ?? { ...anAllocation(aCurrency()), environmentId };
      if (allocation instanceof Error) throw allocation;
      return allocation;
    },
    openLimits: async () => async (agent) => {
      const known = world.limits.get(agent.name) ?? aDeployed();
      if (known instanceof Error) throw known;
      return { agent, known };
    },
  };
}

export function reviewWorld(
  world: World,
  { ports, ...options }: Partial<ReviewOptions> & { ports?: Partial<ReviewPorts> } = {},
): Promise<Review> {
  return runReview(
    { ...toPorts(world), ...ports },
    {
      register: world.register,
      registerHash: 'hash-1',
      currency: CURRENCY,
      limitStaleMs: STALE_MS,
      now: () => NOW,
      wait: async () => undefined,
      signal: new AbortController().signal,
      onUnexpected: (error) => {
        throw error;
      },
      ...options,
    },
  );
}

/** Of a review of one environment. */
export function holdingOne({ environments }: Pick<Review, 'environments'>): EnvironmentReview {
  const [first] = environments;
  if (first === undefined || environments.length > 1) throw new Error('there is not one environment');
  return first;
}

/** Setting, approved, found and way of each. */
export function told(differences: readonly Difference[]): unknown[] {
  return differences.map(({ setting, approved, found, way }) => [setting, approved, found, way]);
}
