// The words of an environment's credits. What the contract does not name is carried along, and never judged.
import type { Allocation, CurrencyAllocation } from '../../admin-api/licensing-wire.ts';

/** The rules that the contract names. */
export const RULE_TYPES = ['Alert', 'TenantPool', 'PayGo', 'Deny'] as const;

export type RuleType = (typeof RULE_TYPES)[number];

/** `platform-default`: the deployment lists no such rule, and what then holds is the platform's choice. */
export type RuleState = 'on' | 'off' | 'platform-default';

/** `unknown`: it is listed, but not in a way that tells whether it is on. */
export type FoundRule = RuleState | 'unknown';

export function findCurrency(allocation: Allocation, currencyType: string): CurrencyAllocation | undefined {
  return allocation.currencyAllocations.find((currency) => isSameWord(currency.currencyType, currencyType));
}

/** Of a currency that is not listed no rule is. */
export function readRule(currency: CurrencyAllocation | undefined, rule: RuleType): FoundRule {
  const listed = currency?.enforcementRules.find(({ ruleType }) => isSameWord(ruleType, rule));
  if (listed === undefined) return 'platform-default';
  if (listed.enabled === 'unknown') return 'unknown';
  return listed.enabled ? 'on' : 'off';
}

/** Undefined for a rule that the contract does not name. */
export function toRuleType(name: string): RuleType | undefined {
  return RULE_TYPES.find((rule) => isSameWord(rule, name));
}

export function isSameWord(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
