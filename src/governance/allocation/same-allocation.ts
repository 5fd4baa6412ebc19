import type { Allocation, CurrencyAllocation } from '../../admin/allocation-wire.ts';
import { toCanonicalJson } from '../canonical-json.ts';
import { RULE_TYPES, readRule, toRuleType } from './credit-rules.ts';

/**
 * Whether nothing was set between two looks: the same credits and the same rules, the unknown ones to the letter, in
 * whatever order. Unknown fields beside them do not count: some change with every look, and none is lost by a write.
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
    others.map(toCanonicalJson).sort(),
  ]);
}
