// The credits of one environment. A write sends the whole allocation as it was just read, with the currencies of the plan
// replaced: other currencies, unknown rules and unknown fields stay as they are.
import type { Allocation, CurrencyAllocation, EnforcementRule } from '../../admin-api/licensing-wire.ts';
import { findCredits, isSameCreditsState } from '../plan/compare.ts';
import type { CreditsItem } from '../plan/plan.ts';
import type { CreditsState } from '../plan/seen.ts';
import { toCreditsState } from '../plan/seen-resources.ts';
import { isSameId } from '../policy/target.ts';
import { type Credits, RULE_TYPES } from '../policy/values.ts';
import type { Resource } from './resource.ts';

/** `raw`: the allocation as received. */
export type CreditsResource = Resource<CreditsItem, CreditsState, Allocation>;

export const CREDITS_RESOURCE: CreditsResource = {
  toLockKey: ({ environmentId }) => `credits:${environmentId.toLowerCase()}`,
  async look({ environmentId }, session) {
    const found = await session.readAllocation(environmentId);
    const raw = found === 'none' ? { environmentId, currencyAllocations: [] } : found;
    return { state: toCreditsState(raw), raw };
  },
  isBefore: (item, state) => isSameCreditsState(onlyPlanned(item, item.before), onlyPlanned(item, state)),
  isAfter: (item, state) => isSameCreditsState(item.after, onlyPlanned(item, state)),
  isSame: isSameCreditsState,
  async write({ after }, looked, session) {
    if (typeof looked === 'string') throw new Error('an allocation is read before it is written');
    return session.updateAllocation(withCredits(looked.raw, after));
  },
};

/** Somebody may change the credits of other currencies meanwhile: they are kept. */
function onlyPlanned({ after }: CreditsItem, state: CreditsState): CreditsState {
  const found = Object.keys(after).map((currency) => [currency, findCredits(state, currency)] as const);
  return Object.fromEntries(found.filter(([, credits]) => credits !== undefined)) as CreditsState;
}

/** The complete allocation with these credits in it, everything in its place. */
export function withCredits(allocation: Allocation, wanted: CreditsState): Allocation {
  const isListed = (currency: string) =>
    allocation.currencyAllocations.some(({ currencyType }) => isSameId(currencyType, currency));
  const added = Object.keys(wanted).filter((currency) => !isListed(currency));
  const currencyAllocations = [...allocation.currencyAllocations, ...added.map(toNewCurrency)].map((currency) => {
    const credits = findCredits(wanted, currency.currencyType);
    return credits ? setCredits(currency, credits) : currency;
  });
  return { ...allocation, currencyAllocations };
}

function toNewCurrency(currencyType: string): CurrencyAllocation {
  return { currencyType, allocated: undefined, autoAllocated: undefined, enforcementRules: [], others: {} };
}

function setCredits(currency: CurrencyAllocation, { allocated, rules }: Credits): CurrencyAllocation {
  const listed = currency.enforcementRules.map((rule) => setRule(rule, rules));
  const missing = RULE_TYPES.filter((rule) => !listed.some(({ ruleType }) => isSameId(ruleType, rule)));
  const added = missing.map((ruleType) => ({ ruleType, enabled: rules[ruleType] ?? false, others: {} }));
  return { ...currency, allocated: allocated ?? currency.allocated, enforcementRules: [...listed, ...added] };
}

function setRule(rule: EnforcementRule, rules: Credits['rules']): EnforcementRule {
  const known = RULE_TYPES.find((one) => isSameId(one, rule.ruleType));
  return { ...rule, enabled: (known && rules[known]) ?? rule.enabled };
}
