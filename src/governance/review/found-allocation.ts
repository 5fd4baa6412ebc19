// The credits that were found, in the form in which a register states what is approved.
import type { Allocation, CurrencyAllocation } from '../../admin-api/licensing-wire.ts';
import { RULE_TYPES, type RuleState, type RuleType, readRule } from '../allocations/allocation.ts';
import type { StatedAllocation } from '../register/register.ts';
import { MAX_WHOLE_NUMBER } from '../shell/whole-number.ts';

/** `isComplete`: all of it can be stated. What cannot be told, or not be written into a register, is left out. */
export type FoundAllocations = { stated: StatedAllocation[] | 'none'; isComplete: boolean };

/** 'none': the service knows no allocation of this environment. */
export function toFoundAllocations(allocation: Allocation | 'none'): FoundAllocations {
  if (allocation === 'none' || allocation.currencyAllocations.length === 0) return { stated: 'none', isComplete: true };
  const stated = allocation.currencyAllocations.map(toStated);
  const isComplete = stated.every(
    ({ allocated, rules }) => allocated !== undefined && RULE_TYPES.every((rule) => rules[rule] !== undefined),
  );
  return { stated, isComplete };
}

function toStated(currency: CurrencyAllocation): StatedAllocation {
  const { currencyType, allocated } = currency;
  const isWritable = Number.isInteger(allocated) && Number(allocated) >= 0 && Number(allocated) <= MAX_WHOLE_NUMBER;
  const rules = RULE_TYPES.flatMap((rule): [RuleType, RuleState][] => {
    const state = readRule(currency, rule);
    return state === 'unknown' ? [] : [[rule, state]];
  });
  return { currencyType, allocated: isWritable ? allocated : undefined, rules: Object.fromEntries(rules) };
}
