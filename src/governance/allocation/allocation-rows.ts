import type { CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
import type { PlanRow } from '../plan-rows.ts';
import { formatCredits } from '../shell/values.ts';
import { type FoundRule, RULE_TYPES, type RuleType, readRule } from './credit-rules.ts';
import type { WantedCredits } from './with-credits.ts';

/** One line of old → new, in words, for one currency. Its name comes from outside. */
export type AllocationRow = PlanRow & { currencyType: string };

/** Five for each currency: what is allocated, and the four rules. */
export function buildAllocationRows(before: CurrencyAllocation | undefined, after: WantedCredits): AllocationRow[] {
  const row = (label: string, old: string, next: string): AllocationRow => ({
    currencyType: after.currencyType,
    label,
    before: old,
    after: next,
    isChanged: old !== next,
  });
  return [
    row('Allocated', describeAllocated(before), `${formatCredits(after.allocated)} credits`),
    ...RULE_TYPES.map((rule) => row(RULE_LABELS[rule], RULE_WORDS[readRule(before, rule)], toOnOff(after.rules[rule]))),
  ];
}

/** In the words of people: also for forms and lists. */
export const RULE_LABELS: Record<RuleType, string> = {
  Alert: 'Alert administrators',
  TenantPool: 'Draw on the tenant pool',
  PayGo: 'Pay as you go',
  Deny: 'Deny when used up',
};

export const RULE_WORDS: Record<FoundRule, string> = {
  on: 'on',
  off: 'off',
  'platform-default': 'platform default',
  unknown: 'unknown',
};

export function describeAllocated(currency: CurrencyAllocation | undefined): string {
  if (currency === undefined) return 'none';
  return currency.allocated === undefined ? 'unknown' : `${formatCredits(currency.allocated)} credits`;
}

function toOnOff(isOn: boolean): string {
  return isOn ? 'on' : 'off';
}
