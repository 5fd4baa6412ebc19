// One of each that the service lists. A test changes what it is about.
import type { Agent, Environment } from '../../src/admin-api/inventory-wire.ts';
import type { Threshold } from '../../src/admin-api/licensing-wire.ts';

export function anAgent(values: Partial<Agent> = {}): Agent {
  const agent = { name: 'a1', displayName: 'Travel Planner', environmentId: 'env-1', ownerId: 'owner-ana' };
  return { ...agent, agentResourceId: values.name ?? 'a1', isHarness: false, ...values };
}

export function anEnvironment(values: Partial<Environment> = {}): Environment {
  return { name: 'env-1', displayName: 'Contoso Production', ownerId: 'owner-kim', ...values };
}

export function aThreshold(values: Partial<Threshold> = {}): Threshold {
  return {
    ...{ environmentId: 'env-1', resourceId: 'a1', limit: 1_000, notifyIfOverCapacity: true },
    ...{ notificationThreshold: 80, stopIfOverCapacity: false, stopResource: false, consumption: 190, ...values },
  };
}
