// Builders with values that no test looks at; a test names the ones it does.
import type { Allocation, CurrencyAllocation, EnforcementRule } from '../../../src/admin-api/licensing-wire.ts';
import {
  type AllocationPlan,
  type AllocationPlanRequest,
  planAllocation,
  type StatedCredits,
} from '../../../src/governance/allocations/allocation-plan.ts';

export const CURRENCY = 'ServiceMessages';

type Rules = Readonly<Record<string, boolean | 'unknown'>>;

export const ALL_OFF = { Alert: false, TenantPool: false, PayGo: false, Deny: false };

export function aCurrency(values: Partial<CurrencyAllocation> = {}, rules: Rules = ALL_OFF): CurrencyAllocation {
  const enforcementRules = Object.entries(rules).map(
    ([ruleType, enabled]): EnforcementRule => ({ ruleType, enabled, others: {} }),
  );
  return { currencyType: CURRENCY, allocated: 1000, autoAllocated: 5, enforcementRules, others: {}, ...values };
}

export function anAllocation(...currencyAllocations: CurrencyAllocation[]): Allocation {
  const given = currencyAllocations.length > 0 ? currencyAllocations : [aCurrency()];
  return { environmentId: 'env-1', currencyAllocations: given, others: {} };
}

/** Throws where the plan cannot be made: a test that expects that calls planAllocation itself. */
export function aPlan(
  before: Allocation,
  stated: Partial<StatedCredits> = {},
  consumption: AllocationPlanRequest['consumption'] = [],
): AllocationPlan {
  const result = planAllocation({ before, stated: [{ currencyType: CURRENCY, ...stated }], consumption });
  if (result.kind !== 'planned') throw new Error('the plan needs a choice');
  return result.plan;
}
