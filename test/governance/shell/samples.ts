// Builders with values that no test looks at; a test names the ones it does.
import type { Threshold } from '../../../src/admin-api/licensing-wire.ts';
import type { LimitChange } from '../../../src/governance/changes/change.ts';
import type {
  AgentLimit,
  GovernedAgent,
  KnownLimit,
  StopDecision,
  WantedLimit,
} from '../../../src/governance/inventory/agent-limit.ts';
import { type LimitPlan, planLimit } from '../../../src/governance/limits/limit-plan.ts';

export const NOW = Date.parse('2026-03-04T13:05:00Z');

export const AGENT: GovernedAgent = {
  environmentId: 'env-1',
  agentResourceId: 'bot-1',
  name: 'agent-1',
  displayName: 'Invoice Reader',
  environmentName: 'Production',
};

export function anAgentLimit(values: Partial<AgentLimit> = {}): AgentLimit {
  return { limit: 1000, notify: true, notificationThreshold: 80, stopWhenReached: false, stopped: false, ...values };
}

export function aWantedLimit(values: Partial<WantedLimit> = {}): WantedLimit {
  return { limit: 2000, notify: true, notificationThreshold: 80, stopWhenReached: false, ...values };
}

export function aDeployedLimit(values: Partial<AgentLimit> = {}, consumption?: number): KnownLimit {
  return {
    source: 'deployment',
    limit: anAgentLimit(values),
    ...(consumption === undefined ? {} : { consumption }),
    readAt: NOW,
  };
}

export function aLastSetLimit(values: Partial<AgentLimit> = {}): KnownLimit {
  return { source: 'last_set', limit: anAgentLimit(values), setAt: NOW, setBy: 'U1' };
}

export function aThreshold(values: Partial<Threshold> = {}): Threshold {
  return {
    environmentId: 'env-1',
    resourceId: 'bot-1',
    limit: 1000,
    notifyIfOverCapacity: true,
    notificationThreshold: 80,
    stopIfOverCapacity: false,
    stopResource: false,
    consumption: undefined,
    ...values,
  };
}

/** As it is recorded before anything is sent. */
export function aLimitChange(values: Partial<LimitChange> = {}): LimitChange {
  return {
    schema: 1,
    id: 'change-1',
    kind: 'agent_limit',
    team: 'T1',
    workspace: 'T1',
    user: 'U1',
    environmentId: 'env-1',
    agentResourceId: 'bot-1',
    before: { source: 'unknown' },
    after: anAgentLimit(),
    at: NOW,
    ...values,
  };
}

/** Throws where the plan cannot be made: a test that expects that calls planLimit itself. */
export function aPlan(before: KnownLimit, wanted: Partial<WantedLimit> = {}, stopDecision?: StopDecision): LimitPlan {
  const result = planLimit({ agent: AGENT, before, wanted: aWantedLimit(wanted), stopDecision });
  if (result.kind !== 'planned') throw new Error('the plan needs a decision');
  return result.plan;
}
