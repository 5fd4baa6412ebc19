import type { Allocation, CurrencyAllocation, EnforcementRule } from '../../admin-api/licensing-wire.ts';
import { toCanonicalJson } from '../canonical-json.ts';
import { RULE_TYPES, readRule, toRuleType } from './credit-rules.ts';

/**
 * Whether nothing was set between two looks: the same credits and the same rules, in whatever order, of the unknown ones
 * whether they are on. Unknown fields do not count, neither beside the rules nor in them: some change with every look, and
 * none is lost by a write.
 */
export function isSameAllocation(one: Allocation, other: Allocation): boolean {
  return describe(one) === describe(other);
}

function describe({ currencyAllocations }: Allocation): string {
  return toCanonicalJson(currencyAllocations.map(describeCurrency).sort());
}

function describeCurrency(currency: CurrencyAllocation): string {
  const rules = RULE_TYPES.map((rule) => readRule(currency, rule));
  const others = currency.enforcementRules.filter(({ ruleType }) => toRuleType(ruleType) === undefined);
  return toCanonicalJson([
    currency.currencyType.toLowerCase(),
    currency.allocated,
    rules,
    others.map(describeRule).sort(),
  ]);
}

function describeRule({ ruleType, enabled, others }: EnforcementRule): string {
  return toCanonicalJson([ruleType.toLowerCase(), enabled, enabled === 'unknown' ? others.enabled : null]);
}
