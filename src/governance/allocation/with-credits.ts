import type { Allocation, CurrencyAllocation, EnforcementRule } from '../../admin-api/licensing-wire.ts';
import { isSameWord, RULE_TYPES, type RuleType, toRuleType } from './credit-rules.ts';

/** What is to hold for one currency. An update sets all four rules at once, so each of them is decided. */
export type WantedCredits = { currencyType: string; allocated: number; rules: Record<RuleType, boolean> };

/** The complete allocation with these credits in it. Everything else stays as it is, in its place. */
export function withCredits(allocation: Allocation, wanted: readonly WantedCredits[]): Allocation {
  const findWanted = ({ currencyType }: CurrencyAllocation) =>
    wanted.find((one) => isSameWord(one.currencyType, currencyType));
  const isListed = ({ currencyType }: WantedCredits) =>
    allocation.currencyAllocations.some((one) => isSameWord(one.currencyType, currencyType));
  const added = wanted.filter((one) => !isListed(one)).map(toNewCurrency);
  const currencyAllocations = [...allocation.currencyAllocations, ...added].map((currency) => {
    const change = findWanted(currency);
    return change ? setCredits(currency, change) : currency;
  });
  return { ...allocation, currencyAllocations };
}

function toNewCurrency({ currencyType, allocated }: WantedCredits): CurrencyAllocation {
  return { currencyType, allocated, autoAllocated: undefined, enforcementRules: [], others: {} };
}

function setCredits(currency: CurrencyAllocation, { allocated, rules }: WantedCredits): CurrencyAllocation {
  const listed = currency.enforcementRules.map((rule) => setRule(rule, rules));
  const missing = RULE_TYPES.filter((rule) => !listed.some(({ ruleType }) => toRuleType(ruleType) === rule));
  const added = missing.map((rule): EnforcementRule => ({ ruleType: rule, enabled: rules[rule], others: {} }));
  return { ...currency, allocated, enforcementRules: [...listed, ...added] };
}

function setRule(rule: EnforcementRule, rules: Record<RuleType, boolean>): EnforcementRule {
  const known = toRuleType(rule.ruleType);
  return known ? { ...rule, enabled: rules[known] } : rule;
}
