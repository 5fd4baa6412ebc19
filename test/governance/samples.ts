// One of each that the service lists. A test changes what it is about.
import type { Agent, Environment } from '../../src/admin-api/inventory-wire.ts';
import type { Allocation, CurrencyAllocation, Entitlement, Threshold } from '../../src/admin-api/licensing-wire.ts';

export const CURRENCY = 'ServiceMessages';

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

export function aCurrency(values: Partial<CurrencyAllocation> = {}): CurrencyAllocation {
  const enforcementRules = [{ ruleType: 'Alert', enabled: true, others: {} }];
  return {
    ...{ currencyType: CURRENCY, allocated: 5_000, autoAllocated: undefined, enforcementRules, others: {} },
    ...values,
  };
}

export function anAllocation(environmentId: string, allocated: number, rules: Record<string, boolean>): Allocation {
  const enforcementRules = Object.entries(rules).map(([ruleType, enabled]) => ({ ruleType, enabled, others: {} }));
  return { environmentId, currencyAllocations: [aCurrency({ allocated, enforcementRules })] };
}

/** 800 of 1,000 credits are used this month. */
export function anEntitlement(values: Partial<Entitlement> = {}): Entitlement {
  return {
    ...{ entitlementId: CURRENCY, consumed: 800, consumptionType: 'MonthToDate', asOf: undefined },
    ...{ capacity: 1_000, payGoConsumed: 0, ...values },
  };
}
