// The credits of one environment: currencies and their rules. What the contract does not name is carried along, and never
// judged.
import type { Allocation, CurrencyAllocation, EnforcementRule } from '../../admin-api/licensing-wire.ts';
import { toCanonicalJson } from '../shell/canonical-json.ts';

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

/**
 * Whether nothing was set between two looks: the same credits and the same rules, in whatever order, of the unknown ones
 * whether they are on. Unknown fields do not count, neither beside the rules nor in them: some change with every look, and
 * none is lost by a write.
 */
export function isSameAllocation(one: Allocation, other: Allocation): boolean {
  return describe(one) === describe(other);
}

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
